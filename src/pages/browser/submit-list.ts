import { sizeText } from "../size.ts";
import { byId, element } from "./dom.ts";

/** A line in the list of files. */
export type Line = {
  /** A `broken` upload can resume, a `refused` one cannot. */
  show: (state: "waiting" | "sending" | "broken" | "done" | "refused", text?: string) => void;
  progress: (sentBytes: number) => void;
  remove: () => void;
};

/** The functions behind a line's buttons. */
export type LineActions = { onRemove: () => void; onRetry: () => void };

/** Adds a line for a file. */
export function addLine(name: string, sizeBytes: number, { onRemove, onRetry }: LineActions): Line {
  const item = element("li", "upload");
  const state = element("span", "upload-state");
  const bar = document.createElement("progress");
  bar.max = Math.max(1, sizeBytes);
  bar.setAttribute("aria-label", name);
  const retry = button("Try again", onRetry);
  const remove = button("Remove", onRemove);
  remove.setAttribute("aria-label", `Remove ${name}`);
  item.append(element("span", "upload-name", name), state, retry, remove, bar);
  byId("upload-list").append(item);
  return {
    show: (kind, text) => {
      item.className = `upload ${kind}`;
      retry.hidden = kind !== "broken";
      bar.hidden = kind === "done" || kind === "refused";
      if (text !== undefined) state.textContent = text;
    },
    progress: (sentBytes) => {
      bar.value = sentBytes;
      const percent = Math.floor((100 * sentBytes) / Math.max(1, sizeBytes));
      state.textContent = `${percent} % of ${sizeText(sizeBytes)}`;
    },
    remove: () => item.remove(),
  };
}

function button(label: string, onClick: () => void): HTMLButtonElement {
  const made = element("button", "button quiet", label) as HTMLButtonElement;
  made.type = "button";
  made.addEventListener("click", onClick);
  return made;
}
