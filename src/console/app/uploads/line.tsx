/** @jsxRuntime automatic @jsxImportSource preact */
import { href } from "../first-data.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { confirmFinal } from "../ui/dialog.tsx";
import { joined, MixQuestion, mixOffers } from "./mixes.tsx";
import { decide } from "./offers.ts";
import { remove, retry } from "./queue.ts";
import type { Upload } from "./state.ts";

/** So much of the end of a name always shows: "(final mix 2).wav". */
const END = 18;

/** One file of the tray: how far it is, and what can be done about it. */
export function UploadLine({ upload }: { upload: Upload }) {
  const { about, name } = upload;
  const { state, sentBytes } = upload.now.value;
  const percent = Math.floor((100 * sentBytes) / Math.max(1, about.size));
  return (
    <li class="tray-line" aria-label={about.path}>
      <span class="tray-name" title={about.path}>
        <span class="tray-name-begin">{about.path.slice(0, -END)}</span>
        <span>{about.path.slice(-END)}</span>
      </span>
      <State upload={upload} percent={percent} />
      {state === "sending" && <progress aria-label={name} max={100} value={percent} />}
      {state === "failed" && (
        <button type="button" class="link-button" aria-label={`Retry ${name}`} onClick={() => retry(upload)}>
          Retry
        </button>
      )}
      {state !== "done" && <IconButton label={`Remove ${name}`} icon="close" run={() => takeAway(upload)} />}
      {state === "done" ? <Sound trackId={about.made?.trackId} /> : <Offer upload={upload} />}
    </li>
  );
}

/** A file that arrived is not in the library yet, and other browsers may show it: it goes only after a confirmation. */
async function takeAway(upload: Upload): Promise<void> {
  const isAsking = upload.now.peek().state === "asking";
  const explanation = "The file that arrived is deleted. It is not in the library yet.";
  if (isAsking && !(await confirmFinal(`Delete ${upload.name}?`, "Delete file", explanation))) return;
  // Another browser may have answered in the meantime.
  if (!isAsking || upload.now.peek().state === "asking") remove(upload);
}

function State({ upload, percent }: { upload: Upload; percent: number }) {
  const { state, reason } = upload.now.value;
  const { made } = upload.about;
  const mix = joined.value.get(made?.trackId ?? "");
  if (state === "done" && mix)
    return (
      <span class="tray-state tray-done">
        Version {mix.version} of <a href={href(`/library/tracks/${mix.otherId}`)}>{mix.otherTitle}</a>
      </span>
    );
  if (state === "done" && made)
    return (
      <span class={`tray-state tray-done ${made.isTwin ? "tray-long" : ""}`}>
        {made.isTwin ? "Already in the library: " : ""}
        {made.isTwin ? <a href={href(`/library/tracks/${made.trackId}`)}>{made.title}</a> : "Done"}
      </span>
    );
  const words = {
    missing: percent > 0 ? `${percent} % arrived` : "Choose it again",
    waiting: "Waiting",
    sending: `${percent} %`,
    arrived: "100 %",
    asking: "Arrived",
    done: "Done",
    failed: `Failed: ${reason}`,
  }[state];
  return <span class={`tray-state tray-${state}`}>{words}</span>;
}

/** A file that became a track, and sounds like a mix of another. */
function Sound({ trackId = "" }: { trackId: string | undefined }) {
  const offer = mixOffers.value.get(trackId);
  return offer ? <MixQuestion offer={offer} /> : null;
}

/** A file named like a version of a track can become one. */
function Offer({ upload }: { upload: Upload }) {
  const offer = upload.offer.value;
  const { version } = upload.about;
  if (version) return <p class="tray-offer soft">New version of {version.title}</p>;
  if (!offer && upload.state.value !== "asking") return null;
  return (
    <div class="tray-offer">
      {offer ? (
        <p>
          Looks like a new version of <b>{offer.title}</b>
        </p>
      ) : (
        <p>The track that it looked like a version of is gone.</p>
      )}
      {offer && (
        <Button
          look="small"
          label={`Make ${upload.name} a new version of ${offer.title}`}
          run={() => decide(upload, true)}
        >
          New version
        </Button>
      )}
      <Button
        look="small secondary"
        label={`Make ${upload.name} a new track`}
        run={() => decide(upload, false)}
      >
        New track
      </Button>
    </div>
  );
}
