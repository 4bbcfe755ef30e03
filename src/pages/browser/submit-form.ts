import { byId } from "./dom.ts";
import type { Uploads } from "./submit-uploads.ts";

/** Sends files as soon as they are chosen, and the form once all files have arrived. */
export function enableSending(uploads: Uploads, form: HTMLFormElement): void {
  const chooser = byId<HTMLInputElement>("field-files");
  const button = byId<HTMLButtonElement>("submit-button");
  const label = button.textContent ?? "";
  let isWaiting = false;
  let isPosting = false;

  const fail = (words: string) => {
    isWaiting = false;
    button.textContent = label;
    const error = byId("submit-error");
    error.hidden = false;
    error.textContent = words;
  };
  const go = () => {
    const { sending, stuck } = uploads.open();
    const [first] = stuck;
    if (first !== undefined) return fail(`${first} has not been received: choose it again, or remove it.`);
    if (sending > 0) {
      button.textContent = sending === 1 ? "Waiting for the last file" : `Waiting for ${sending} files`;
      return;
    }
    if (isPosting) return;
    isPosting = true;
    button.textContent = "Sending";
    void post(form, uploads.ids())
      .then((words) => {
        if (words !== undefined) fail(words);
      })
      .finally(() => {
        isPosting = false;
      });
  };

  chooser.addEventListener("change", () => {
    uploads.add(chooser.files ?? []);
    // The form is sent without the files: they are already being uploaded.
    chooser.value = "";
  });
  acceptDrops(byId("drop"), uploads);
  uploads.onChange(() => {
    if (isWaiting) go();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    byId("submit-error").hidden = true;
    isWaiting = true;
    go();
  });
}

/** Opens the page that lists the files received, or returns the fault. */
async function post(form: HTMLFormElement, ids: readonly string[]): Promise<string | undefined> {
  byId<HTMLInputElement>("uploads").value = ids.join(" ");
  const body = new FormData(form);
  body.delete("files");
  try {
    const response = await fetch(form.action, {
      method: "POST",
      body,
      headers: { accept: "application/json" },
    });
    const { location: next, message } = await response.json();
    if (!response.ok) return `${message}.`;
    location.assign(next);
    return undefined;
  } catch {
    return "The connection was lost. Your files are safe: press the button again.";
  }
}

/** Files may be dropped anywhere on the page: a drop outside the field must not open the file. */
function acceptDrops(field: HTMLElement, uploads: Uploads): void {
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    field.classList.add("over");
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) field.classList.remove("over");
  });
  addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    field.classList.remove("over");
    uploads.add(event.dataTransfer.files);
  });
}
