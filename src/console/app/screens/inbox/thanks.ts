import { account } from "../../first-data.ts";
import { type Item, nameOf, type State } from "./items.ts";

const SENTENCES: Readonly<Record<State, string>> = {
  new: "thank you for sending {title}. I have it, and will listen to it soon.",
  shortlisted: "thank you for sending {title}. It is on my shortlist, and I will come back to you.",
  kept: "thank you for sending {title}. I would like to keep it, and will come back to you about what follows.",
  passed:
    "thank you for sending {title}. I listened to it, and it is not what I am looking for this time. Please send more.",
};

/** Returns the address that opens a message to the sender with a prepared sentence; undefined without an address. */
export function thanksTo(item: Item): string | undefined {
  if (item.senderEmail === null) return undefined;
  const sentence = SENTENCES[item.state].replace("{title}", nameOf(item));
  const body = `Hello${item.senderName ? ` ${item.senderName}` : ""},\n\n${sentence}\n\n${account.name}`;
  const subject = `${item.briefName}: ${nameOf(item)}`;
  return `mailto:${encodeURIComponent(item.senderEmail)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
