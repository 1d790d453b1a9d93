import { describe, expect, it } from "vitest";
import { csvCell, csvOf } from "../data/download";
import { bytes, count, fixed, interval, percent, points, pValue, ratio, times } from "../format";
import { hashOf, linkOf } from "../viewer/link";
import { pretty, shortened, visible } from "./visible";

describe("visible", () => {
  it.each([
    ["plain text\n\twith a tab", "plain text\n\twith a tab"],
    ["a\u0000b\u001b[31m", "a␀b␛[31m"],
    ["a\r\nb\rc", "a\nb␍c"],
    ["\u202egnp.exe", "⟨U+202E⟩gnp.exe"],
    ["zero\u200bwidth", "zero⟨U+200B⟩width"],
    ["tag \u{e0041}", "tag ⟨U+E0041⟩"],
    ["<b>&amp;</b>", "<b>&amp;</b>"], // text nodes need no escapes
    ["שלום", "שלום"],
  ])("%j", (text, shown) => expect(visible(text)).toBe(shown));
});

describe("shortened", () => {
  it("keeps short text and cuts long text between characters", () => {
    expect(shortened("abc", 5)).toBe("abc");
    expect(shortened("abcdefgh", 5)).toBe("abcd…");
    expect(shortened("😀😀😀😀", 3)).toBe("😀😀…");
    expect(shortened("a\nb", 5)).toBe("a b");
    expect(shortened("x".repeat(10_000_000), 4)).toBe("xxx…");
  });
});

describe("pretty", () => {
  it("lays out JSON and leaves the rest alone", () => {
    expect(pretty('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(pretty("{not json")).toBe("{not json");
    expect(pretty("12")).toBe("12");
    const large = `[${"1,".repeat(200_000)}1]`;
    expect(pretty(large)).toBe(large);
  });
});

describe("numbers", () => {
  it("have a minus sign, no negative zero, and a dash where there is none", () => {
    expect(fixed(-0.04, 1)).toBe("0.0");
    expect(fixed(-1.26, 1)).toBe("−1.3");
    expect(points(null)).toBe("—");
    expect(points(Number.NaN)).toBe("—");
    expect(points(0.167)).toBe("16.7");
    expect(percent(0.0052)).toBe("0.52");
    expect(percent(0.39)).toBe("39.0");
    expect(count(1234567)).toBe("1,234,567");
    expect(count(123)).toBe("123");
    expect(times(2.56)).toBe("×2.6");
    expect(pValue(0.0004)).toBe("p < 0.001");
    expect(pValue(null)).toBe("—");
    expect(interval({ low: 1.1, high: 3 }, ratio)).toBe(" [1.10, 3.0]");
    expect(interval({ low: null, high: 3 }, ratio)).toBe("");
    expect(bytes(1_234_567)).toBe("1.2 MB");
  });
});

describe("CSV", () => {
  it.each([
    ["a,b", '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ["=HYPERLINK(1)", "'=HYPERLINK(1)"],
    ["@SUM", "'@SUM"],
    ["−1.5", "-1.5"],
    ["-1.5", "-1.5"],
    ["—", ""],
  ])("%s", (text, cell) => expect(csvCell(text)).toBe(cell));
  it("ends lines as RFC 4180 says", () => expect(csvOf({ head: ["a"], rows: [["1"]] })).toBe("a\r\n1\r\n"));
});

describe("links", () => {
  it("come back as they went, whatever the names hold", () => {
    for (const turn of [null, 0, 12]) {
      const link = { cell: "a/b c", arm: "int4#1", task: '"<é>%', trial: 3, turn };
      expect(linkOf(hashOf(link))).toEqual(link);
    }
  });
  it.each(["", "#", "#score", "#a/b/c", "#a/b/c/x", "#a/b/c/1/x", "#%/b/c/1", "#a/b/c/1/2/3"])("%s is none", (hash) => expect(linkOf(hash)).toBeNull());
});
