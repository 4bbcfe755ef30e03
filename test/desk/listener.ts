import type { Json } from "../support/app.ts";

/** An event of a stream. */
export type Told = { event: string; id: string; data: Json };

/** Reads a stream of server-sent events, one after the other. */
export function createListener(asked: Response | Promise<Response>) {
  let response: Response | undefined;
  let reader:
    | { read: () => Promise<{ done: boolean; value?: Uint8Array }>; cancel: () => Promise<void> }
    | undefined;
  const decoder = new TextDecoder();
  let text = "";

  const open = async () => {
    response ??= await asked;
    reader ??= response.body?.getReader() as typeof reader;
    if (!reader) throw new Error("There is no body");
    return reader;
  };
  /** Undefined: the stream has ended. */
  const block = async (): Promise<string | undefined> => {
    const from = await open();
    while (!text.includes("\n\n")) {
      const { done, value } = await from.read();
      if (done) return undefined;
      text += decoder.decode(value, { stream: true });
    }
    const end = text.indexOf("\n\n");
    const found = text.slice(0, end);
    text = text.slice(end + 2);
    return found;
  };
  const next = async (): Promise<Told> => {
    const found = await block();
    if (found === undefined) throw new Error("The stream has ended");
    const fields = new Map(
      found.split("\n").map((line) => [line.split(": ")[0], line.slice(line.indexOf(": ") + 2)]),
    );
    if (!fields.has("data")) return await next();
    return {
      event: fields.get("event") ?? "message",
      id: fields.get("id") ?? "",
      data: JSON.parse(fields.get("data") ?? ""),
    };
  };

  return {
    next,
    /** Returns the first event that is asked for. */
    until: async (isIt: (told: Told) => boolean): Promise<Told> => {
      for (;;) {
        const told = await next();
        if (isIt(told)) return told;
      }
    },
    /** Reads on until the server ends the stream. */
    ended: async (): Promise<void> => {
      while ((await block()) !== undefined);
    },
    status: () => response?.status,
    contentType: () => response?.headers.get("content-type"),
    close: () => void reader?.cancel(),
  };
}
