/** A browser of another engine, as far as the smoke run needs one. */
export type Driver = {
  open: (address: string) => Promise<void>;
  /** Returns what the expression, or the promise that it is, comes to. JSON values only. */
  evaluate: (expression: string) => Promise<unknown>;
  close: () => Promise<void>;
};

/** Reads a child's output until a line fits. @throws Error when the output ends first. */
export async function lineOf(stream: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> {
  let text = "";
  for await (const chunk of stream) {
    text += new TextDecoder().decode(chunk);
    const found = pattern.exec(text);
    if (found) return found[1] ?? found[0];
  }
  throw new Error(`The browser did not start: ${text}`);
}

/** Ends a child process and waits until it is gone. */
export async function end(child: Bun.Subprocess): Promise<void> {
  child.kill("SIGKILL");
  await child.exited;
}
