import { createHash } from "node:crypto";
import type { Plugin } from "vite";

function sha256(text: string): string {
  return `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
}

/**
 * Puts the one script and the one style sheet into the page, with a policy that lets nothing else
 * run. The script is a classic one, where it stands: it starts before the blocks after it are parsed.
 */
export function singleFile(): Plugin {
  return {
    name: "single-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      let script = "";
      let style = "";
      for (const [name, item] of Object.entries(bundle)) {
        if (item.type === "chunk") script += item.code.trim();
        else if (name.endsWith(".css")) style += String(item.source).trim();
        else continue;
        delete bundle[name];
      }
      // Neither may end its element, nor hold what looks like a mark of the template.
      script = script.replace(/<(?=\/script|!--)/gi, "\\x3c");
      const page = bundle["page.html"];
      if (page === undefined || page.type !== "asset") throw new Error("page.html was not built");
      const policy =
        `default-src 'none'; script-src ${sha256(script)}; style-src ${sha256(style)}; ` +
        "img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'";
      const put = (html: string, mark: RegExp, text: string): string => {
        if (!mark.test(html)) throw new Error(`page.html lacks ${mark.source}`);
        return html.replace(mark, () => text);
      };
      let html = String(page.source);
      html = html.replace(/\s*<link rel="(?:modulepreload|stylesheet)"[^>]*>/g, "");
      // Vite moves the script into the head; it goes back to where the rows are parsed already.
      html = put(html, /\s*<script type="module"[^>]*><\/script>/, "");
      html = put(html, /<!--page:policy-->/, `<meta http-equiv="Content-Security-Policy" content="${policy}" />`);
      html = put(html, /<!--page:style-->/, `<style>${style}</style>`);
      html = put(html, /(?=<!--unmask:blocks-->)/, `<script>${script}</script>\n    `);
      page.source = html;
    },
  };
}
