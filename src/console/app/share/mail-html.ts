import { samePlace } from "../first-data.ts";

/** How a mail is shown: as readers of mail in light or in dark show it. */
export type Scheme = "light" | "dark";

/**
 * Shows a mail of this server inside an element, apart from the styles of the page. The page's policy takes no styles of HTML, so
 * each is put where scripts may put it. What the mail's own text says cannot be taken for one: it has no quotes that are not escaped.
 */
export function showMail(host: HTMLElement, html: string, scheme: Scheme): void {
  const inner = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const [, css = ""] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
  const plain = html.replace(/<style>[\s\S]*?<\/style>/, "").replaceAll(' style="', ' data-style="');
  const { body } = new DOMParser().parseFromString(plain, "text/html");
  const paper = document.createElement("div");
  for (const { name, value } of body.attributes) paper.setAttribute(name, value);
  paper.append(...body.childNodes);
  for (const each of [paper, ...paper.querySelectorAll<HTMLElement>("[data-style]")]) {
    each.style.cssText = each.dataset.style ?? "";
    delete each.dataset.style;
  }
  // The policy allows pictures of this server alone.
  for (const picture of paper.querySelectorAll("img")) picture.src = samePlace(picture.src);
  // Its links are made when it is sent.
  paper.addEventListener("click", (event) => event.preventDefault());
  inner.adoptedStyleSheets = [sheetOf(css, scheme)];
  inner.replaceChildren(paper);
}

/** The styles of a mail, with the scheme that was chosen in place of the browser's. */
function sheetOf(css: string, scheme: Scheme): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${css.replaceAll(":root", ":host")}\n:host{color-scheme:${scheme}!important}`);
  for (const rule of sheet.cssRules)
    if (rule instanceof CSSMediaRule && rule.conditionText.includes("prefers-color-scheme"))
      rule.media.mediaText = rule.conditionText.includes(scheme) ? "all" : "not all";
  return sheet;
}
