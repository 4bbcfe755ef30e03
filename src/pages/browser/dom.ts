/** Returns an element that the page must have. @throws Error when the server's page does not match the script. */
export function byId<Kind extends Element = HTMLElement>(id: string): Kind {
  const found = findById<Kind>(id);
  if (found) return found;
  throw new Error(`The page has no #${id}`);
}

/** Returns an element of the page, or undefined. Its type is trusted to match what the server rendered. */
export function findById<Kind extends Element = HTMLElement>(id: string): Kind | undefined {
  return (document.getElementById(id) as Kind | null) ?? undefined;
}

/** Makes an element with a class and text. */
export function element(tag: string, className: string, text = ""): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/** Remembers what a visitor chose, where the browser allows it. */
export const memory = {
  get: (key: string): string | null => {
    try {
      return localStorage.getItem(`dubplate.${key}`);
    } catch {
      return null;
    }
  },
  set: (key: string, value: string): void => {
    try {
      localStorage.setItem(`dubplate.${key}`, value);
    } catch {
      // Playback works without it.
    }
  },
};
