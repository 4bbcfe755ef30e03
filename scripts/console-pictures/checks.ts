import axe from "axe-core";
import type { Page } from "playwright-core";

/** What a finger hits has at least this width and height. */
const TARGET_PX = 44;

/** Says which of the page and its open dialogs would scroll sideways. */
const WIDER = `[document.scrollingElement, ...document.querySelectorAll("dialog[open]")]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ localName }) => localName + " is wider than its place")`;

/**
 * Says which targets a finger would miss. A target counts with what surrounds it and leads to it: its label, its padding.
 * Links within a sentence are as small as its words, and what stands on a wave is as wide as its time.
 */
const SMALL = `(() => {
  const selector = "a[href], button, input, select, textarea, summary, [role=slider], [role=menuitem]";
  const leadsTo = (x, y, target) => {
    const hit = document.elementFromPoint(x, y);
    return hit !== null && (target.contains(hit) || hit.contains(target) && hit.matches(selector) ||
      target.labels !== undefined && [...(target.labels ?? [])].some((label) => label.contains(hit)));
  };
  const isInSentence = (target) => target.matches("a") && getComputedStyle(target).display === "inline" &&
    [...target.parentNode.childNodes].some((node) => node.nodeType === 3 && /[\\w]/.test(node.data));
  return [...document.querySelectorAll(selector)].flatMap((target) => {
    const { left, top, width, height } = target.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    if (!leadsTo(x, y, target) || isInSentence(target) || target.matches(".wave-mark, .wave-section")) return [];
    // What a bar covers is scrolled into view before it is pressed.
    const part = target.closest("main, dialog, [popover]") ?? document.documentElement;
    const reaches = (atX, atY) => leadsTo(atX, atY, target) || !part.contains(document.elementFromPoint(atX, atY));
    const reach = (dx, dy) => {
      let steps = 0;
      while (steps < ${TARGET_PX} && reaches(x + (steps + 1) * dx, y + (steps + 1) * dy)) steps++;
      return steps;
    };
    const isWide = width > ${TARGET_PX - 1} || reach(-1, 0) + reach(1, 0) > ${TARGET_PX - 2};
    const isHigh = height > ${TARGET_PX - 1} || reach(0, -1) + reach(0, 1) > ${TARGET_PX - 2};
    if (isWide && isHigh) return [];
    const name = target.getAttribute("aria-label") ?? target.textContent.trim().slice(0, 30);
    return [target.localName + "." + target.className + " “" + name + "” is " + Math.round(width) + " × " + Math.round(height)];
  });
})()`;

/**
 * Says what is wrong with a page: what axe finds, what is too wide and, for fingers, too small. In dark, only colours are
 * looked at: nothing else is different.
 */
export async function faultsOf(page: Page, isDark: boolean, isTouched: boolean): Promise<string[]> {
  if (isDark) return await found(page, 'axe.run({ runOnly: ["color-contrast"] })');
  const faults = await found(page, "axe.run()");
  faults.push(...((await page.evaluate(WIDER)) as string[]));
  if (isTouched) faults.push(...((await page.evaluate(SMALL)) as string[]));
  return faults;
}

/** What axe finds. */
async function found(page: Page, run: string): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate(run)) as axe.AxeResults;
  return (
    violations
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`)
      // A menu belongs to its button, which is in a landmark.
      .filter((violation) => !violation.startsWith('region: <div class="menu"'))
  );
}
