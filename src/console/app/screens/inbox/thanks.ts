import { api, dataOf } from "../../api/client.ts";
import { type AnswerOf, query, queryClient, useQuery } from "../../api/queries.ts";
import { account } from "../../first-data.ts";
import { type Item, nameOf, STATES, type State } from "./items.ts";

/** A sentence for each decision; `{title}` is the song. */
export type Sentences = Readonly<Record<State, string>>;

export const SENTENCES: Sentences = {
  new: "thank you for sending {title}. I have it, and will listen to it soon.",
  shortlisted: "thank you for sending {title}. It is on my shortlist, and I will come back to you.",
  kept: "thank you for sending {title}. I would like to keep it, and will come back to you about what follows.",
  passed:
    "thank you for sending {title}. I listened to it, and it is not what I am looking for this time. Please send more.",
};

const asked = () => query("/app/account", {}, {});

type Answer = AnswerOf<"/app/account">;

/** The sentences of an account: its own, and ours where it has none. */
function sentencesOf({ data: { thanks: own } }: Answer): Sentences {
  return Object.fromEntries(STATES.map((state) => [state, own[state] ?? SENTENCES[state]])) as Sentences;
}

/** Reads the sentences of the account. @throws ApiError. */
export const readSentences = async (): Promise<Sentences> =>
  sentencesOf(await queryClient.fetchQuery(asked()));

/** Keeps sentences with the account. A blank one becomes ours again. @throws ApiError. */
export async function keepSentences(changed: Sentences): Promise<void> {
  const isOurs = (state: State) => changed[state].trim() === SENTENCES[state];
  const thanks = Object.fromEntries(STATES.map((state) => [state, isOurs(state) ? null : changed[state]]));
  const data = await dataOf(api.PATCH("/app/account", { body: { thanks } }));
  queryClient.setQueryData<Answer>(asked().queryKey, (before) => before && { ...before, data });
}

/**
 * Returns the address that opens a message to the sender with a prepared sentence; undefined without an address, and until the
 * sentences are read.
 */
export function useThanks(item: Item | undefined): string | undefined {
  const { data } = useQuery(asked());
  if (!data || !item || item.senderEmail === null) return undefined;
  const sentence = sentencesOf(data)[item.state].replaceAll("{title}", nameOf(item));
  const body = `Hello${item.senderName ? ` ${item.senderName}` : ""},\n\n${sentence}\n\n${account.name}`;
  const subject = `${item.briefName}: ${nameOf(item)}`;
  return `mailto:${encodeURIComponent(item.senderEmail)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
