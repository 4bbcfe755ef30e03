/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { api, dataOf } from "../api/client.ts";
import { changed, query, useQuery } from "../api/queries.ts";
import type { Data } from "../api/routes.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import type { DialogProps } from "./about.ts";

type Credit = NonNullable<Data<"GET /app/library/tracks/single">["track"]>["shareholderTracks"][number];

const FULL = 100;
const hundredths = (value: number) => Math.round(value * 100) / 100;

/** Types the shares of those who are credited. */
export function SharesDialog({ about, trackId, onClose }: DialogProps) {
  const asked = query("/app/library/tracks/single", { query: { id: trackId } }, { tracks: [trackId] });
  const credits = useQuery(asked).data?.data.track?.shareholderTracks;
  const typed = useSignal<readonly string[] | undefined>(undefined);
  if (!credits) return null;
  const shares = typed.value ?? credits.map(({ share }) => String(share));
  const sum = hundredths(shares.reduce((all, share) => all + (Number(share) || 0), 0));
  return (
    <FormDialog
      label={`Shares of ${about.title}`}
      verb="Save"
      isReady={sum === FULL}
      onClose={onClose}
      send={() => write(trackId, credits, shares)}
    >
      {(wrong) => (
        <>
          {credits.map(({ shareholder, role }, index) => (
            <Field
              key={`${shareholder.id} ${role}`}
              label={`${shareholder.fullName}, ${role}, in %`}
              type="number"
              min={0}
              max={FULL}
              step="any"
              value={shares[index] ?? ""}
              error={index === 0 ? wrong.shareholders : undefined}
              onInput={({ currentTarget }) => {
                typed.value = shares.with(index, currentTarget.value);
              }}
            />
          ))}
          <p role="status">
            Together {sum} %
            {sum !== FULL && `: ${hundredths(Math.abs(FULL - sum))} % too ${sum < FULL ? "little" : "much"}`}
          </p>
          <Button
            look="quiet"
            run={() => {
              typed.value = equally(credits.length);
            }}
          >
            Split equally
          </Button>
        </>
      )}
    </FormDialog>
  );
}

/** Returns equal shares that add up to the whole: what cannot be divided goes to the last. */
function equally(count: number): string[] {
  const each = Math.floor((FULL * 100) / count) / 100;
  return Array.from({ length: count }, (_, index) =>
    String(index === count - 1 ? hundredths(FULL - each * (count - 1)) : each),
  );
}

async function write(trackId: string, credits: readonly Credit[], shares: readonly string[]): Promise<void> {
  const base = credits.map(({ shareholder, role, share }) => ({
    shareholderId: shareholder.id,
    role,
    share,
  }));
  const shareholders = base.map((credit, index) => ({ ...credit, share: Number(shares[index]) }));
  const params = { query: { id: trackId } };
  await dataOf(api.PUT("/app/library/tracks/shareholders", { params, body: { shareholders, base } }));
  changed("tracks", [trackId]);
}
