import { toast } from "../ui/toast.tsx";

/** Puts a text on the clipboard. Browsers have the API at https and localhost alone; elsewhere a field is copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyField(text);
  }
}

function copyField(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "sr-only";
  // In a modal dialog nothing outside it can be selected.
  (document.querySelector("dialog:modal") ?? document.body).append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return isDone;
}

/** Copies a text, and says so; where the browser does not allow it, the toast has the text to copy by hand. */
export async function copy(text: string, said = "Copied"): Promise<void> {
  if (await copyText(text)) toast(said);
  else toast(`The browser did not allow copying: ${text}`, { kind: "alert" });
}

/** Copies a link, and says so. */
export const copyLink = (url: string): Promise<void> => copy(url, "Link copied");
