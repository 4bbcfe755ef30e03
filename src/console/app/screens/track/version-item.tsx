/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_LABEL, MAX_NAME } from "../../../../modules/library/versions/shapes.ts";
import { sizeText } from "../../../../pages/size.ts";
import { save } from "../../actions/download.ts";
import { api, dataOf } from "../../api/client.ts";
import { can, isGuest } from "../../api/library.ts";
import { changed } from "../../api/queries.ts";
import { useMaker } from "../../api/team.ts";
import { samePlace } from "../../first-data.ts";
import { clock } from "../../player/time.ts";
import { openNotesExport } from "../../share/notes-export.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { ago, day } from "../../ui/dates.ts";
import { confirmFinal, showDialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { MenuButton, type MenuItem } from "../../ui/menu.tsx";
import { toast } from "../../ui/toast.tsx";
import { typed } from "../../ui/use-form.ts";
import { setVisible } from "./changes.ts";
import { hear } from "./comparison.ts";
import { labelOf, loudness } from "./names.ts";
import type { Review, Track, Version } from "./queries.ts";
import { isPlaying, loaded, pause, play, toPlay } from "./sound.ts";
import { OpenNotes, Verdicts } from "./version-review.tsx";

type ItemProps = {
  track: Track;
  title: string;
  version: Version;
  /** What people say of the track's versions. */
  reviews: readonly Review[];
  /** Chosen for the comparison. */
  isMarked: boolean;
  onMark: (isOn: boolean) => void;
};

/** One version: what it is, playing it, and what can be done with it. */
export function VersionItem({ track, title, version, reviews, isMarked, onMark }: ItemProps) {
  const label = labelOf(version);
  const maker = useMaker(version.madeBy);
  const isSounding = loaded.value?.versionId === version.id && isPlaying.value;
  const toggle = () => {
    if (isSounding) pause();
    else if (!hear(version.id)) play(toPlay(track, title, version.id));
  };
  return (
    <li class="version" aria-label={label}>
      <label class="check" title="Compare">
        <input
          type="checkbox"
          class="version-mark"
          aria-label={`Compare ${label}`}
          checked={isMarked}
          onChange={({ currentTarget }) => onMark(currentTarget.checked)}
        />
      </label>
      <IconButton
        label={`${isSounding ? "Pause" : "Play"} ${label}`}
        icon={isSounding ? "pause" : "play"}
        look="version-play"
        run={toggle}
      />
      <div class="version-names">
        <p class="version-label">
          <b>{label}</b>
          {version.active && <span class="mark good">Active</span>}
          {!version.visible && <span class="mark">Hidden</span>}
          <Verdicts version={version} reviews={reviews} />
          {can("read:comments") && <OpenNotes version={version} />}
        </p>
        <p class="version-name soft">{version.name}</p>
      </div>
      <p class="version-facts soft">{factsOf(version, maker)}</p>
      {!version.active && can("update:tracks") && (
        <Button look="quiet small version-activate" run={() => activate(version)}>
          <span>
            Make <span class="sr-only">{label} </span>active
          </span>
        </Button>
      )}
      {(can("update:tracks") || can("download:originals")) && (
        <MenuButton label={`More actions for ${label}`} items={() => menuOf(version, title)} />
      )}
    </li>
  );
}

const ANALYSIS_WORDS: Readonly<Record<Version["analysis"], string>> = {
  none: "not analysed yet",
  pending: "Analysing…",
  completed: "",
  failed: "could not be analysed",
};

function factsOf(version: Version, maker: string | undefined): string {
  const { createdAt, size, durationSec, integratedLufs } = version;
  const made = maker === undefined ? day(createdAt) : `${maker}, ${ago(createdAt)}`;
  const measured = [
    durationSec !== null && clock(durationSec),
    integratedLufs !== null && loudness(integratedLufs),
    ANALYSIS_WORDS[version.analysis],
  ];
  return [made, sizeText(size), ...measured].filter(Boolean).join(" · ");
}

const pathOf = ({ trackId, id }: Version) => ({ params: { path: { trackId, versionId: id } } });

function noteChange({ trackId }: Version): void {
  changed("versions", [trackId]);
  changed("tracks", [trackId]);
}

async function activate(version: Version): Promise<void> {
  const { trackId } = version;
  try {
    await dataOf(api.POST("/app/library/tracks/{trackId}/versions/{versionId}/activate", pathOf(version)));
    // The facts of the sheet are those of the version that plays.
    await dataOf(api.POST("/app/library/tracks/auto-tag", { body: { trackId } }));
    toast(`${labelOf(version)} is active`);
  } finally {
    noteChange(version);
  }
}

async function remove(version: Version): Promise<void> {
  const label = labelOf(version);
  const why = "Its file is deleted too. This cannot be undone.";
  if (!(await confirmFinal(`Delete ${label} for good?`, "Delete", why))) return;
  try {
    await dataOf(api.DELETE("/app/library/tracks/{trackId}/versions/{versionId}", pathOf(version)));
    toast(`Deleted ${label}`);
  } finally {
    noteChange(version);
  }
}

async function openProof(version: Version, title: string): Promise<void> {
  const { ProofDialog } = await import("./proof-dialog.tsx");
  const { trackId, id: versionId } = version;
  showDialog((close) => (
    <ProofDialog {...{ trackId, versionId, title, label: labelOf(version) }} onClose={close} />
  ));
}

function menuOf(version: Version, title: string): MenuItem[] {
  return [
    {
      name: "Rename",
      need: "update:tracks",
      run: () => showDialog((close) => <RenameDialog version={version} onClose={close} />),
    },
    {
      need: "update:tracks",
      name: version.visible ? "Hide" : "Show",
      run: () => setVisible(version.trackId, version.id, !version.visible),
    },
    { name: "Download", need: "download:originals", run: () => save(samePlace(version.downloadUrl)) },
    {
      name: "Export notes…",
      need: "read:comments",
      run: () => openNotesExport({ id: version.trackId }, { ...version, label: labelOf(version) }),
    },
    ...(isGuest() ? [] : [{ name: "Proof…", run: () => openProof(version, title) }]),
    null,
    // A track always has the version that it plays.
    {
      name: "Delete",
      isDanger: true,
      isDisabled: version.active,
      need: "update:tracks",
      run: () => remove(version),
    },
  ];
}

function RenameDialog({ version, onClose }: { version: Version; onClose: () => void }) {
  const label = useSignal(version.label ?? "");
  const name = useSignal(version.name);
  const save = async () => {
    const body = { label: label.value.trim() || null, name: name.value.trim() };
    await dataOf(
      api.PATCH("/app/library/tracks/{trackId}/versions/{versionId}", { ...pathOf(version), body }),
    );
    noteChange(version);
  };
  return (
    <FormDialog label={`Rename ${labelOf(version)}`} verb="Save" onClose={onClose} send={save}>
      {(wrong) => (
        <>
          <Field
            label="Label"
            hint="Short: v2, Radio edit, Master"
            maxLength={MAX_LABEL}
            autofocus
            error={wrong.label}
            {...typed(label)}
          />
          <Field label="Name" maxLength={MAX_NAME} error={wrong.name} {...typed(name)} />
        </>
      )}
    </FormDialog>
  );
}
