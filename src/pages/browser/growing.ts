import { findById } from "./dom.ts";

/** A list whose last item may link to more items. */
export type Growing = {
  hasMore: () => boolean;
  /**
   * Replaces the last item with the items that follow. Returns false when there are no more, or they cannot be
   * fetched now.
   */
  grow: () => Promise<boolean>;
};

/** A list that is complete, or that the page does not have. */
const WHOLE: Growing = { hasMore: () => false, grow: () => Promise.resolve(false) };

/** Makes the link at the end of a list load more items in place. `onGrown` receives the new items. */
export function createGrowing(id: string, onGrown: (added: HTMLElement[]) => void): Growing {
  const list = findById(id);
  if (!list) return WHOLE;
  const end = () => list.querySelector<HTMLElement>(":scope > .more");
  let growing: Promise<boolean> | undefined;

  const load = async (last: HTMLElement): Promise<boolean> => {
    const html = await fetchMore(last);
    if (html === undefined) return false;
    const [before, hadFocus] = [list.children.length - 1, last.contains(document.activeElement)];
    last.outerHTML = html;
    const added = [...list.children].slice(before) as HTMLElement[];
    if (hadFocus) added[0]?.querySelector<HTMLElement>("button, a")?.focus();
    onGrown(added);
    return true;
  };
  const grow = (): Promise<boolean> => {
    const last = end();
    if (!last) return Promise.resolve(false);
    growing ??= load(last).finally(() => {
      growing = undefined;
    });
    return growing;
  };

  list.addEventListener("click", (event) => {
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey);
    if (!isPlain || !(event.target instanceof Element) || !event.target.closest(".more a")) return;
    event.preventDefault();
    void grow();
  });
  return { hasMore: () => end() !== null, grow };
}

/** Fetches the next items, and shows a message beside the link when that fails. */
async function fetchMore(last: HTMLElement): Promise<string | undefined> {
  const answer = await fetch(last.querySelector("a")?.dataset.list ?? "").catch(() => undefined);
  if (answer?.ok) return answer.text();
  const isLost = !answer || answer.status >= 500;
  const message = last.querySelector(".more-message");
  if (message)
    message.textContent = isLost ? "That did not work. Try again." : "Reload the page to see more.";
  return undefined;
}

/** Loads more of a list before its end scrolls into view, and again when the visitor comes back to the page. */
export function growOnScroll(id: string, { grow, hasMore }: Growing): void {
  const list = findById(id);
  if (!list || !hasMore()) return;
  // Only below the window: a visitor who jumps to something below the list passes its end.
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) void grow();
    },
    { rootMargin: "0px 0px 800px 0px" },
  );
  const watch = () => {
    observer.disconnect();
    const end = list.querySelector(":scope > .more");
    if (end) observer.observe(end);
  };
  new MutationObserver(watch).observe(list, { childList: true });
  watch();
  void comeBack(list, grow);
}

/** Restores the scroll position that the page had when it was left, in browsers that load the page again. */
async function comeBack(list: Element, grow: () => Promise<boolean>): Promise<void> {
  const key = `place ${location.pathname}${location.search}`;
  const remembered = /^(\d+) (\d+)$/.exec(place.get(key) ?? "");
  addEventListener("pagehide", () => place.set(key, `${list.children.length} ${Math.round(scrollY)}`));
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (!remembered || navigation?.type !== "back_forward") return;
  while (list.children.length < Number(remembered[1]) && (await grow())) {
    // Until the list is as long as it was.
  }
  scrollTo({ top: Number(remembered[2]), behavior: "instant" });
}

/** What a window remembers about its pages, where the browser allows it. */
const place = {
  get: (key: string): string | null => {
    try {
      return sessionStorage.getItem(`dubplate.${key}`);
    } catch {
      return null;
    }
  },
  set: (key: string, value: string): void => {
    try {
      sessionStorage.setItem(`dubplate.${key}`, value);
    } catch {
      // The page then begins at its top.
    }
  },
};
