/** A drawing of the page as a file of its own: what the style sheet says of it becomes attributes. */

const properties = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight", "font-style", "color"];

export function svgOf(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const from = [drawing, ...drawing.querySelectorAll<SVGElement>("*")];
  const to = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    const target = to[i] as SVGElement;
    for (const name of properties) target.setAttribute(name, style.getPropertyValue(name));
    target.removeAttribute("class");
  });
  const ids = [drawing.getAttribute("aria-labelledby"), drawing.getAttribute("aria-describedby")];
  for (const name of ["aria-labelledby", "aria-describedby", "role"]) copy.removeAttribute(name);
  // Title and description go along; the paper is part of the picture.
  const [title, text] = ids.map((id) => document.getElementById(id ?? "")?.textContent ?? "");
  const element = (name: string): SVGElement => document.createElementNS("http://www.w3.org/2000/svg", name);
  const paper = element("rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute("fill", getComputedStyle(document.body).backgroundColor);
  const titleElement = element("title");
  titleElement.textContent = title ?? "";
  const description = element("desc");
  description.textContent = text ?? "";
  copy.prepend(titleElement, description, paper);
  return new XMLSerializer().serializeToString(copy);
}
