/** What the browser remembers for this person: widths, switches, the queue. */
export const memory = {
  get: <Value>(key: string): Value | undefined => {
    try {
      return JSON.parse(localStorage.getItem(`dubplate.console.${key}`) ?? "null") ?? undefined;
    } catch {
      return undefined;
    }
  },
  set: (key: string, value: unknown): void => {
    try {
      localStorage.setItem(`dubplate.console.${key}`, JSON.stringify(value));
    } catch {
      // A browser that remembers nothing still works.
    }
  },
};
