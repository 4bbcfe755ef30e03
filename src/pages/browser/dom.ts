/** Returns an element of the page that must be there. @throws Error when server and script do not fit together. */
export function byId<Kind extends Element = HTMLElement>(id: string): Kind {
  const found = findById<Kind>(id);
  if (found) return found;
  throw new Error(`The page has no #${id}`);
}

/** Returns an element of the page, or undefined; what kind it is, is the server's word. */
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

/** What a visitor chose is remembered where the browser allows it. */
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
      // A browser that remembers nothing is no reason not to play.
    }
  },
};
