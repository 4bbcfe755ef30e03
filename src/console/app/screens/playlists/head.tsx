/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { MAX_DESCRIPTION, MAX_PLAYLIST_NAME } from "../../../../modules/library/playlists/shapes.ts";
import { emptyField } from "../../api/errors.ts";
import { can, canChange, isGuest } from "../../api/library.ts";
import { useMaker } from "../../api/team.ts";
import { clock } from "../../player/time.ts";
import type { Card, Row } from "../../playlists/types.ts";
import { go } from "../../router.ts";
import { tooltip } from "../../ui/actions.ts";
import { Button } from "../../ui/button.tsx";
import { showDialog } from "../../ui/dialog.tsx";
import { EditInPlace } from "../../ui/edit-in-place.tsx";
import { useActions, useCommands } from "../../ui/keys.ts";
import { MenuButton } from "../../ui/menu.tsx";
import { useHeading } from "../../ui/screen.tsx";
import { AddTracksDialog } from "./add-tracks-dialog.tsx";
import { AlbumFacts, AlbumLine, openAlbumDetails } from "./album.tsx";
import { PlaylistCover } from "./cover.tsx";
import { countOf } from "./covers.tsx";
import { loudnessOf } from "./facts.ts";
import { likeThese, menuOf } from "./menu.ts";
import { playRows } from "./play-rows.ts";
import { PublicLink } from "./public-link.tsx";
import { save } from "./save.ts";
import { sharePlaylist } from "./tracks-grid.tsx";

type HeadProps = { card: Card; rows: readonly Row[]; isNaming: Signal<boolean> };

/** The head of a playlist: cover, name, totals, and the actions for all of it. */
export function Head({ card, rows, isNaming }: HeadProps) {
  const { name } = card;
  const isOurs = canChange(card);
  const maker = useMaker(card.madeBy);
  const share = () => sharePlaylist(card);
  const add = () => showDialog((close) => <AddTracksDialog playlist={card} onClose={close} />);
  const playAll = () => playRows(card, rows, 0);
  useActions(
    {
      share,
      rename: isOurs
        ? () => {
            isNaming.value = true;
          }
        : undefined,
    },
    { share: `Share ${name}`, rename: `Rename ${name}` },
  );
  useCommands([
    ...(isOurs ? [{ id: "add-tracks", name: `Add tracks to ${name}`, run: add }] : []),
    ...(isOurs && card.kind === "album"
      ? [{ id: "album-details", name: "Edit album details", run: () => openAlbumDetails(card) }]
      : []),
    ...(rows.length > 0 ? [{ id: "play-all", name: `Play ${name}`, run: playAll }] : []),
  ]);
  return (
    <header class="playlist-head">
      <PlaylistCover card={card} isFixed={!isOurs} />
      <div class="playlist-words">
        <Name card={card} isNaming={isNaming} isFixed={!isOurs} />
        {card.kind === "album" && <AlbumLine card={card} isFixed={!isOurs} />}
        <Description card={card} isFixed={!isOurs} />
        {card.kind === "album" ? (
          <AlbumFacts card={card} />
        ) : (
          <p class="soft playlist-facts">{[factsOf(rows, card), maker].filter(Boolean).join(" · ")}</p>
        )}
        {card.collaborative && (
          <p>
            <span class="mark good" title="Everyone who makes playlists may change it">
              Collaborative
            </span>
          </p>
        )}
        <div class="playlist-tools">
          <Button icon="play" aria-disabled={rows.length === 0} run={playAll}>
            Play all
          </Button>
          {can("create:shares") && (
            <Button look="secondary" icon="share" title={tooltip("share")} run={share}>
              Share
            </Button>
          )}
          {isOurs && (
            <Button look="secondary" icon="add" run={add}>
              Add tracks
            </Button>
          )}
          {!isGuest() && (
            <Button
              look="secondary"
              icon="more-like"
              aria-disabled={rows.length === 0}
              run={() => go(likeThese(rows))}
            >
              Sounds like these
            </Button>
          )}
          <MenuButton label="More actions" items={() => menuOf(card, rows)} />
        </div>
        {can("create:shares") && can("update:shares") && <PublicLink card={card} />}
      </div>
    </header>
  );
}

function factsOf(rows: readonly Row[], { trackCount }: Card): string {
  const seconds = rows.reduce((sum, { durationSec }) => sum + (durationSec ?? 0), 0);
  const loudness = loudnessOf(rows);
  return [countOf(Math.max(trackCount, rows.length)), seconds > 0 && clock(seconds), loudness]
    .filter(Boolean)
    .join(" · ");
}

type NameProps = { card: Card; isNaming: Signal<boolean>; isFixed: boolean };

function Name({ card, isNaming, isFixed }: NameProps) {
  const heading = useHeading(card.name);
  return (
    <EditInPlace
      label="Name"
      isFixed={isFixed}
      text={card.name}
      isOpen={isNaming}
      maxLength={MAX_PLAYLIST_NAME}
      tooltip={tooltip("rename", "Edit name")}
      onSave={async (name) => {
        if (name === "") throw emptyField("name");
        await save(card, { name });
      }}
    >
      <h1 ref={heading} tabIndex={-1}>
        {card.name}
      </h1>
    </EditInPlace>
  );
}

function Description({ card, isFixed }: { card: Card; isFixed: boolean }) {
  const isOpen = useSignal(false);
  return (
    <EditInPlace
      label="Description"
      isFixed={isFixed}
      text={card.description ?? ""}
      isOpen={isOpen}
      maxLength={MAX_DESCRIPTION}
      isLong
      onSave={(description) => save(card, { description: description || null })}
    >
      <p class="playlist-description">
        {card.description ?? (!isFixed && <span class="soft">No description</span>)}
      </p>
    </EditInPlace>
  );
}
