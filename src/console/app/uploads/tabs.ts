const TAB_KEY = "dubplate.console.tab";
const OLD_PAGE_MS = 2000;

const hasLocks = "locks" in navigator;
const lockOf = (tab: string) => `dubplate-tab ${tab}`;

/** Resolves with this tab's name. A reload keeps it; a copy of the tab gets one of its own. */
export const thisTab: Promise<string> = nameTab();

async function nameTab(): Promise<string> {
  const before = sessionStorage.getItem(TAB_KEY);
  if (before !== null && (await hold(before))) return before;
  const tab = newName();
  sessionStorage.setItem(TAB_KEY, tab);
  await hold(tab);
  return tab;
}

/** Claims a name until this page ends. The page of before a reload may still be about to let it go. */
function hold(tab: string): Promise<boolean> {
  if (!hasLocks) return Promise.resolve(true);
  return new Promise((resolve) => {
    navigator.locks
      .request(lockOf(tab), { signal: AbortSignal.timeout(OLD_PAGE_MS) }, () => {
        resolve(true);
        return new Promise<never>(() => undefined);
      })
      .catch(() => resolve(false));
  });
}

/** Returns which of the tabs are open. Without locks this is unknown, and each counts as closed. */
export async function openTabs(): Promise<Set<string>> {
  if (!hasLocks) return new Set();
  const { held = [] } = await navigator.locks.query();
  return new Set(held.map(({ name = "" }) => name.replace(lockOf(""), "")));
}

/** Does `work` alone among all tabs. */
export function alone<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  return hasLocks ? navigator.locks.request(`dubplate-${name}`, work) : work();
}

/** As {@link alone}, but resolves with undefined when another tab is at it. */
export function aloneNow<Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined> {
  if (!hasLocks) return work();
  return navigator.locks.request(`dubplate-${name}`, { ifAvailable: true }, (lock) =>
    lock ? work() : Promise.resolve(undefined),
  );
}

/** Returns a unique name. `randomUUID` exists only at https and localhost. */
export function newName(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
