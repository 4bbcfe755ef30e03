import { element, findById } from "./dom.ts";
import type { Playback } from "./playback.ts";
import { readEarlier, type Track } from "./queue.ts";
import { send, show } from "./sending.ts";

/** Plays the passages of notes in an earlier version and in the one that plays now, one at a time. */
export function enableHearing({ queue, hear }: Playback): void {
  const earlier = new Map<string, Track | undefined>();
  const versionOf = (now: Track, id: string | undefined) => {
    if (id === undefined) return now;
    const version = earlier.get(id) ?? readEarlier(now, id);
    earlier.set(id, version);
    return version;
  };
  findById("answer-list")?.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-from]") : null;
    const place = button?.closest<HTMLElement>("[data-hear]");
    const index = queue.findIndex(({ id }) => id === place?.dataset.hear);
    const now = queue[index];
    if (!button || !place || !now) return;
    const { old, from, gain } = button.dataset;
    const version = versionOf(now, old);
    const { for: seconds, back } = place.dataset;
    if (version)
      hear(index, {
        version,
        gain: Number(gain),
        fromSec: Number(from),
        forSec: Number(seconds),
        backSec: Number(back),
      });
  });
}

/** Sends what the recipient says of a version, or of an answer, without leaving the page. */
export function enableAnswers(onChange: () => void): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches(".review-form, .answer-form, .pitch-form"))
      return;
    event.preventDefault();
    void send(form, event.submitter).then((answer) => {
      if ("html" in answer) show(answer.html);
      else complain(form, answer.error);
      onChange();
    });
  });
}

function complain(form: HTMLFormElement, words: string): void {
  const place = form.querySelector(".field-error") ?? element("p", "field-error");
  place.setAttribute("role", "alert");
  form.append(place);
  place.textContent = words;
}
