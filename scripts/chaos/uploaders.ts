import type { Random } from "../../src/demo/dsp/random.ts";
import { type Ledger, noteAnswer, noteSent } from "./ledger.ts";
import { makeSound, type Sound } from "./sounds.ts";

const MAX_FILES = 4;
const REPEATED_SHARE = 0.15;
const REMEMBERED = 50;

type Uploads = {
  address: string;
  key: string;
  ledger: Ledger;
  random: Random;
  /** Sounds that may be sent again under another name. */
  earlier: Sound[];
};

/** Sends one form after another, at most `requests`, until the server is gone. */
export async function uploadUntilGone(uploads: Uploads, requests: number): Promise<void> {
  for (let request = 0; request < requests; request++) if (!(await uploadOnce(uploads))) return;
}

/** Sends one form. Returns false when no answer came. */
async function uploadOnce({ address, key, ledger, random, earlier }: Uploads): Promise<boolean> {
  const count = 1 + Math.floor(random() * MAX_FILES);
  const sounds = Array.from({ length: count }, (_, index) =>
    nextSound(`${ledger.sent.size + index}.wav`, random, earlier),
  );
  noteSent(ledger, sounds);
  const form = new FormData();
  for (const { filename, bytes } of sounds) form.append("files", new File([bytes], filename));
  const answer = await post(`${address}/api/v1/tracks/upload`, key, form);
  if (!answer) {
    ledger.unanswered.push(sounds.map(({ filename }) => filename));
    return false;
  }
  if (answer.status !== 200) throw new Error(`An upload was answered ${answer.status}: ${answer.text}`);
  const { uploaded } = JSON.parse(answer.text).data as { uploaded: { id: string }[] };
  noteAnswer(
    ledger,
    sounds,
    uploaded.map(({ id }) => id),
  );
  return true;
}

/** Posts a form. Returns undefined when the connection broke, even in the middle of the answer. */
async function post(
  url: string,
  key: string,
  body: FormData,
): Promise<{ status: number; text: string } | undefined> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "x-api-key": key, connection: "close" },
      body,
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}

function nextSound(filename: string, random: Random, earlier: Sound[]): Sound {
  const again = random() < REPEATED_SHARE ? earlier[Math.floor(random() * earlier.length)] : undefined;
  if (again) return { ...again, filename };
  const sound = makeSound(filename, random);
  earlier.push(sound);
  if (earlier.length > REMEMBERED) earlier.shift();
  return sound;
}
