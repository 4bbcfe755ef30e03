/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { save } from "../../actions/download.ts";
import { api, dataOf } from "../../api/client.ts";
import { can } from "../../api/library.ts";
import { changed } from "../../api/queries.ts";
import { href, hrefInside } from "../../first-data.ts";
import { go } from "../../router.ts";
import { Button } from "../../ui/button.tsx";
import { counted, percent } from "../../ui/numbers.ts";
import { toast, toastError } from "../../ui/toast.tsx";
import { makeMarkedCopies, progressOf } from "./marking.tsx";
import type { Planned } from "./plan.ts";

/** How often it is asked how far a package is. */
const LOOK_EVERY_MS = 700;

/** What makes a planned package. Nothing blocks it: where something must be mended, the button says so. */
export function Make({ plan }: { plan: Planned }) {
  const made = useSignal<string | undefined>(undefined);
  const { stop, warn, note } = plan.findings;
  const ready = async () => {
    made.value = undefined;
    if (plan.isMarked)
      await makeMarkedCopies(plan.id, (id) => {
        made.value = id;
      });
  };
  return (
    <section class="deliver-part deliver-make" aria-label="Make it">
      <p>
        {stop} must be mended, {warn} should be, {note} to be known.
      </p>
      <div class="deliver-buttons">
        <Button
          run={async () => {
            await ready();
            save(hrefInside(plan.path));
            made.value = plan.id;
          }}
        >
          {stop > 0 ? "Deliver anyway" : "Make the package"}
        </Button>
        {can("create:shares") && (
          <Button look="secondary" run={() => link(plan.id)}>
            Make a link
          </Button>
        )}
        {plan.hasFolder && (
          <Button
            look="secondary"
            run={async () => {
              await ready();
              made.value = plan.id;
              await write(plan.id);
            }}
          >
            Folder on the server
          </Button>
        )}
        <a class="button quiet" href={href("/library/deliveries")}>
          Deliveries
        </a>
      </div>
      {made.value !== undefined && <Progress key={made.value} id={made.value} />}
    </section>
  );
}

/** Makes a link for the recipient, and copies it where the browser lets it. */
async function link(deliveryId: string): Promise<void> {
  const params = { path: { deliveryId } };
  const { url, shareId } = await dataOf(api.POST("/app/deliveries/{deliveryId}/link", { params }));
  changed("shares", null);
  const isCopied = await navigator.clipboard.writeText(url).then(
    () => true,
    () => false,
  );
  toast(isCopied ? "The link is made and copied" : `The link is made: ${url}`, {
    action: { name: "Open", run: () => go(`/library/links/${shareId}`) },
  });
}

async function write(deliveryId: string): Promise<void> {
  const params = { path: { deliveryId } };
  const { path } = await dataOf(api.POST("/app/deliveries/{deliveryId}/folder", { params }));
  changed("shares", null);
  toast(`The package is at ${path}`);
}

type State = Awaited<ReturnType<typeof progressOf>>;

/** Says how far a package is, until all of it was taken or it broke off. */
function Progress({ id }: { id: string }) {
  const state = useSignal<State | undefined>(undefined);
  useEffect(() => {
    let isOver = false;
    const look = async () => {
      while (!isOver) {
        const next = await progressOf(id);
        state.value = next;
        if (next.state === "made") changed("shares", null);
        if (next.state === "made" || next.state === "failed") return;
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      }
    };
    look().catch(toastError);
    return () => {
      isOver = true;
    };
  }, [id]);
  if (!state.value) return null;
  const { message, ...now } = state.value;
  if (now.state === "failed")
    return (
      <p role="alert">
        The package broke off{message === null ? "." : `: ${message}.`} What was saved of it is not whole.
      </p>
    );
  return <p role="status">{wordsOf(now)}</p>;
}

function wordsOf({ state, markedTracks, sentBytes, sizeBytes }: Omit<State, "message">): string {
  if (state === "marking") return `The copies are being marked: ${counted(markedTracks, "track")} so far`;
  if (state === "made") return "Delivered. It is on the list of deliveries.";
  if (state === "waiting") return "It waits until one of two other packages is done.";
  return sentBytes > 0 ? `On its way: ${percent(sentBytes / sizeBytes)}` : "It begins.";
}
