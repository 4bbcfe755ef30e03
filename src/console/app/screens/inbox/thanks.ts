import { signal } from "@preact/signals";
import { account } from "../../first-data.ts";
import { memory } from "../../memory.ts";
import { type Item, nameOf, type State } from "./items.ts";

/** A sentence for each decision; `{title}` is the song. */
export type Sentences = Readonly<Record<State, string>>;

export const SENTENCES: Sentences = {
  new: "thank you for sending {title}. I have it, and will listen to it soon.",
  shortlisted: "thank you for sending {title}. It is on my shortlist, and I will come back to you.",
  kept: "thank you for sending {title}. I would like to keep it, and will come back to you about what follows.",
  passed:
    "thank you for sending {title}. I listened to it, and it is not what I am looking for this time. Please send more.",
};

/** The sentences that were changed; the others are ours. */
const own = signal(memory.get<Partial<Sentences>>("inbox-thanks") ?? {});

export const sentences = (): Sentences => ({ ...SENTENCES, ...own.value });

/** Keeps sentences in this browser. A blank one becomes ours again. */
export function keepSentences(changed: Sentences): void {
  const kept = Object.entries(changed).filter(
    ([state, text]) => text.trim() !== "" && text.trim() !== SENTENCES[state as State],
  );
  own.value = Object.fromEntries(kept.map(([state, text]) => [state, text.trim()]));
  memory.set("inbox-thanks", own.value);
}

/** Returns the address that opens a message to the sender with a prepared sentence; undefined without an address. */
export function thanksTo(item: Item): string | undefined {
  if (item.senderEmail === null) return undefined;
  const sentence = sentences()[item.state].replaceAll("{title}", nameOf(item));
  const body = `Hello${item.senderName ? ` ${item.senderName}` : ""},\n\n${sentence}\n\n${account.name}`;
  const subject = `${item.briefName}: ${nameOf(item)}`;
  return `mailto:${encodeURIComponent(item.senderEmail)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
