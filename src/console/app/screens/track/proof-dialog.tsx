/** @jsxRuntime automatic @jsxImportSource preact */
import { save, saveText } from "../../actions/download.ts";
import { type AnswerOf, query, useQuery } from "../../api/queries.ts";
import { hrefInside } from "../../first-data.ts";
import { Button } from "../../ui/button.tsx";
import { wholeTime } from "../../ui/dates.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Problem } from "../../ui/problem.tsx";

type Proof = AnswerOf<"/app/library/tracks/{trackId}/proof">["data"];
type ProofDialogProps = {
  trackId: string;
  versionId: string;
  label: string;
  title: string;
  onClose: () => void;
};

/** What the library's ledger proves of a version, to be given away. */
export function ProofDialog({ trackId, versionId, label, title, onClose }: ProofDialogProps) {
  const { data, error, refetch } = useQuery(
    query(
      "/app/library/tracks/{trackId}/proof",
      { path: { trackId }, query: { versionId } },
      { versions: [trackId] },
    ),
  );
  const proof = data?.data;
  return (
    <Dialog label={`Proof of ${label}`} onClose={onClose}>
      <Problem error={error} onRetry={refetch} />
      {proof && <Said proof={proof} />}
      <p class="soft">
        Anybody checks it without this server, with Node or Bun:{" "}
        <code>node ledger-verify.mjs proof.json song.wav</code>
      </p>
      <div class="dialog-actions">
        <Button look="secondary" run={() => save(hrefInside("/app/ledger/verifier"))}>
          Save the verifier
        </Button>
        <Button
          disabled={!proof}
          run={() =>
            proof && saveText(`${title} ${label}.proof.json`, JSON.stringify(proof), "application/json")
          }
        >
          Save the proof
        </Button>
      </div>
    </Dialog>
  );
}

function Said({ proof: { entry, opening, head, publicKey } }: { proof: Proof }) {
  return (
    <>
      <p>
        Recorded {wholeTime(entry.at)}, as number {entry.seq + 1} of {head.size} records of the library's
        ledger. The ledger is signed: whoever keeps a proof can show later that nothing in it was changed
        since.
      </p>
      <dl class="proof-facts">
        <dt>SHA-256</dt>
        <dd>
          <code>{opening.detail.sha256}</code>
        </dd>
        <dt>Root</dt>
        <dd>
          <code>{head.root}</code>
        </dd>
        <dt>Key</dt>
        <dd>
          <code>{publicKey}</code>
        </dd>
      </dl>
    </>
  );
}
