import { clock } from "../waveform.ts";
import { byId, findById, memory } from "./dom.ts";
import type { Growing } from "./growing.ts";
import type { Playback } from "./playback.ts";
import type { Track } from "./queue.ts";
import { send, show } from "./sending.ts";

/** Lets visitors comment without leaving the page, and jump to the moment that a comment is about. */
export function enableComments(playback: Playback, list: Growing, onAdded: () => void): void {
  const form = findById<HTMLFormElement>("comment-form");
  if (!form) return;
  const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement;
  const opener = byId("comment-open");
  const replyTo = byId("comment-reply-to");
  /** What played when the form was opened. */
  let heard: Track | undefined;
  // On a link for somebody the name begins with theirs, until its visitor writes another one.
  const nameKey = `name ${location.pathname}`;
  const known = memory.get(nameKey) ?? (field("name").value || memory.get("name"));
  // After a refusal, the form has what was typed.
  if (known !== null && form.classList.contains("folded")) field("name").value = known;
  const reply = (id: string, words: string) => {
    field("parent").value = id;
    replyTo.textContent = words;
    form.classList.toggle("replying", id !== "");
  };
  const fold = () => {
    form.classList.add("folded");
    opener.setAttribute("aria-expanded", "false");
    opener.focus();
    reply("", "");
  };
  const unfold = () => {
    if (!form.classList.contains("folded")) return;
    form.classList.remove("folded");
    opener.setAttribute("aria-expanded", "true");
    // What a visitor begins to write is about the music playing now.
    heard = playback.current();
    field("at").value = clock(playback.elapsedSec());
    field("track").value = heard.id;
  };
  const begin = () => {
    unfold();
    field(field("name").value === "" ? "name" : "text").focus();
  };
  form.addEventListener("focusin", unfold);
  opener.addEventListener("click", begin);
  byId("comment-cancel").addEventListener("click", fold);

  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const mark = target?.closest<HTMLElement>(".comment [data-at]");
    if (mark) void playFrom(playback, list, mark.dataset);
    const link = target?.closest(".comment-reply");
    const note = link?.closest(".comment");
    if (!note || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    reply(note.id, `Reply to ${note.querySelector(".comment-name")?.textContent}`);
    begin();
    form.scrollIntoView({ block: "nearest" });
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const track = field("track").value;
    const played = heard?.id === track ? heard : playback.queue.find(({ id }) => id === track);
    void send(form, null, played && { version: played.version }).then((answer) => {
      byId("comment-error").textContent = "error" in answer ? answer.error : "";
      if ("error" in answer) return;
      for (const key of ["name", nameKey]) memory.set(key, field("name").value);
      for (const name of ["text", "at", "end"]) field(name).value = "";
      show(answer.html, byId("comment-list"));
      fold();
      onAdded();
    });
  });
}

/** Shows which place a new comment would be about. */
export function showPlace({ title }: Track, elapsedSec: number): void {
  const opener = findById("comment-open");
  if (!opener) return;
  const words = `Comment at ${clock(elapsedSec)}`;
  if (opener.textContent !== words) opener.textContent = words;
  const of = findById("comment-of");
  if (of && of.textContent !== title) of.textContent = title;
}

/** Plays from a comment's position. If the track is further down the list, it is fetched first. */
async function playFrom(
  { queue, play }: Playback,
  { grow }: Growing,
  { of, at }: DOMStringMap,
): Promise<void> {
  const find = () => queue.findIndex(({ id }) => id === of);
  while (find() < 0 && (await grow())) {
    // Until the list ends.
  }
  if (find() >= 0) play(find(), Number(at));
}

/** Adds tracks that were loaded later to the comment form. */
export function offerTracks(tracks: readonly Track[]): void {
  const select = findById("field-track");
  if (!(select instanceof HTMLSelectElement)) return;
  const known = new Set([...select.options].map(({ value }) => value));
  for (const { id, title } of tracks) {
    if (!known.has(id)) select.append(new Option(title, id));
    known.add(id);
  }
}
