/** @jsxRuntime automatic @jsxImportSource preact */
import { ApiError } from "../../api/errors.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { PlainTable } from "../../ui/plain-table.tsx";
import type { Line, Track } from "./queries.ts";

/** The credits that somebody else wrote meanwhile, and who it was. */
type Others = { shareholders: Track["shareholderTracks"]; by: { name: string } | null };

/** Returns what others wrote, from the refusal of a save; undefined for any other refusal. */
export function othersCredits(thrown: unknown): Others | undefined {
  const isRefused = thrown instanceof ApiError && thrown.code === "changed_since" && thrown.data;
  return isRefused ? (thrown.data as Others) : undefined;
}

type DialogProps = {
  name: string;
  mine: readonly Line[];
  theirs: readonly Line[];
  onKeepTheirs: () => void;
  onSaveMine: () => Promise<void>;
  onClose: () => void;
};

/** Asks whose splits of a track are to stay: they add up to 100 per cent only as a whole. */
export function CreditsDialog({ name, mine, theirs, onKeepTheirs, onSaveMine, onClose }: DialogProps) {
  const then = (run: () => unknown) => () => {
    onClose();
    return run();
  };
  return (
    <Dialog label={`${name} changed the splits while you were editing`} kind="wide" onClose={onClose}>
      <div class="splits-sides">
        <Side label="Yours" lines={mine} />
        <Side label={`${name}'s`} lines={theirs} />
      </div>
      <div class="dialog-actions">
        <Button look="secondary" run={then(onKeepTheirs)}>
          Keep {name}'s
        </Button>
        <Button run={then(onSaveMine)}>Save mine</Button>
      </div>
    </Dialog>
  );
}

function Side({ label, lines }: { label: string; lines: readonly Line[] }) {
  return (
    <section>
      <h3>{label}</h3>
      <PlainTable label={label} columns={["Composer", "Role", "Share"]} figures={["Share"]}>
        {lines.map(({ key, name, role, share }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            <td>{role}</td>
            <td class="figure">{share} %</td>
          </tr>
        ))}
        {lines.length === 0 && (
          <tr>
            <td colSpan={3}>Nobody</td>
          </tr>
        )}
      </PlainTable>
    </section>
  );
}
