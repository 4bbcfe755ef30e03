/** @jsxRuntime automatic @jsxImportSource preact */
import { useRef } from "preact/hooks";
import { can, canSendVersions, isGuest, library } from "../../api/library.ts";
import { useQuery } from "../../api/queries.ts";
import { place, setSearch } from "../../router.ts";
import { Button } from "../../ui/button.tsx";
import { Switch } from "../../ui/field.tsx";
import { FileInput } from "../../ui/file-input.tsx";
import { later } from "../../ui/later.tsx";
import type { Files } from "./files.tsx";
import { reviewsQuery, type SheetProps } from "./queries.ts";
import { VersionItem } from "./version-item.tsx";
import type { WaveState } from "./wave-state.ts";

const Compare = later(async () => (await import("./compare.tsx")).Compare);

type VersionsProps = SheetProps & { wave: WaveState; files: Files };

/** Every version of the track, newest first; two of them can be compared. */
export function Versions({ track, title, versions, wave, files }: VersionsProps) {
  const picker = useRef<HTMLInputElement>(null);
  const isReviewed = versions.some(({ review }) => review.approved + review.changes > 0);
  const reviews =
    useQuery(isReviewed && can("read:comments") ? reviewsQuery(track.id) : null).data?.data ?? [];
  const marked = (place.value.search.get("compare") ?? "")
    .split(",")
    .filter((id) => versions.some((version) => version.id === id));
  const mark = (id: string, isOn: boolean) => {
    const rest = marked.filter((each) => each !== id);
    // A third one takes the place of the one that was marked first.
    setSearch({ compare: (isOn ? [...rest, id].slice(-2) : rest).join(",") });
  };
  // The older one is A: what changed is said of B.
  const pair = versions.filter(({ id }) => marked.includes(id)).toReversed();
  const [a, b] = pair;
  return (
    <div class="versions">
      {a && b && (
        <Compare
          key={`${a.id} ${b.id}`}
          trackId={track.id}
          a={a}
          b={b}
          wave={wave}
          onClose={() => setSearch({ compare: undefined })}
        />
      )}
      <ul class="version-list" aria-label="Versions">
        {versions.map((version) => (
          <VersionItem
            key={version.id}
            track={track}
            title={title}
            version={version}
            reviews={reviews}
            isMarked={marked.includes(version.id)}
            onMark={(isOn) => mark(version.id, isOn)}
          />
        ))}
      </ul>
      {canSendVersions() && (
        <div class="version-add">
          <Button look="secondary" icon="uploads" run={() => picker.current?.click()}>
            Add version
          </Button>
          <FileInput label="Add version" inputRef={picker} accept="audio/*" take={files.take} />
          {isGuest() ? (
            <p class="soft">{library.value.name} decides when a new version plays.</p>
          ) : (
            <Switch
              label="Make new versions active"
              isOn={files.isActivating.value}
              onChange={(isOn) => {
                files.isActivating.value = isOn;
              }}
            />
          )}
        </div>
      )}
      {versions.length > 1 && marked.length < 2 && (
        <p class="soft version-hint">Tick two versions to compare them by ear.</p>
      )}
    </div>
  );
}
