import { createServer, type Socket } from "node:net";

/** What a relay does at a step: answers, is silent, or hangs up. */
export type Step = string | "silent" | "hang up";

/** A relay that misbehaves as it is told, which real servers do only under load. */
export type OddRelay = {
  port: number;
  /** How many mails it had with their last byte. */
  taken(): number;
  close(): void;
};

/**
 * Starts a relay on 127.0.0.1 that says at each step what stands in `steps`, by the step's name (`greeting`, a command's first word, or
 * `end` for the final dot). A step of a recipient may be written `RCPT bo@`. Everything else goes well.
 */
export async function startOddRelay(steps: Readonly<Record<string, Step>>): Promise<OddRelay> {
  let taken = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    const say = (step: Step) => {
      if (step === "hang up") socket.destroy();
      else if (step !== "silent") socket.write(`${step}\r\n`);
    };
    let isData = false;
    const onBytes = (text: string): Step | undefined => {
      if (!isData) return stepAt(steps, text);
      if (!text.endsWith("\r\n.\r\n")) return undefined;
      taken++;
      return steps.end ?? "250 taken";
    };
    say(steps.greeting ?? "220 ready");
    socket.on("data", (bytes) => {
      const step = onBytes(bytes.toString());
      if (step === undefined) return;
      isData = step.startsWith("354");
      say(step);
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as { port: number };
  return {
    port,
    taken: () => taken,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function stepAt(steps: Readonly<Record<string, Step>>, line: string): Step {
  const [word = ""] = line.split(/[ :\r]/);
  const about = Object.keys(steps).find(
    (name) => name.startsWith(`${word} `) && line.includes(name.slice(word.length + 1)),
  );
  return steps[about ?? word] ?? (word === "DATA" ? "354 go on" : "250 ok");
}
