/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { Button, ButtonLink } from "../components.tsx";
import { Cover, CoverShapes } from "../cover.tsx";
import { Icon, IconShapes } from "../icons.tsx";
import { Page, type Preview } from "../layout.tsx";
import { clock } from "../waveform.ts";
import { Answers, ApprovalWords, TrackApproval } from "./approval.tsx";
import { Comments } from "./comments.tsx";
import { Lyrics } from "./lyrics.tsx";
import type { PlayerApproval, PlayerComments, PlayerPitch, PlayerRows, PlayerTrack } from "./model.ts";
import { Panel } from "./panel.tsx";
import { PitchWords, TrackPitch } from "./pitch.tsx";
import { AlsoInSet, PlainPlayer, TrackList, trackData } from "./tracks.tsx";

/** What a player page shows. */
export type PlayerPageProps = {
  root: string;
  entity: "track" | "playlist";
  name: string;
  /** Line breaks are kept. */
  description: string | null;
  /** Whose album it is, and of what type; undefined for a track or a playlist. */
  album?: { artist: string | null; type: keyof typeof ALBUM_TYPES } | undefined;
  /** Path of the large picture of the track or playlist; undefined to draw a cover. */
  picture: string | undefined;
  /** Determines the drawn cover. */
  seed: string;
  /** Name of the account that shares; undefined on the owner's own page. */
  ownerName?: string;
  recipient?: string | null;
  /** Such as `12 March 2026`; undefined when the link does not expire. */
  openUntil?: string | undefined;
  /** The newest signed head of the library's ledger; `day` such as `12 March 2026`. */
  witnessed?: { size: number; root: string; day: string } | undefined;
  preview?: Preview;
  rows: PlayerRows;
  /** What else is in the set of a single track. */
  also?: readonly PlayerTrack[];
  /** Of the whole list. */
  trackCount: number;
  /** Of the whole list; null: not known. */
  durationSec: number | null;
  /** Address of an archive of all originals; undefined where there is nothing to download. */
  downloadAllPath: string | undefined;
  /** Address of the beginning of the list; undefined when this is the beginning. */
  beginningHref: string | undefined;
  /** Where the browser reports that it shows the page; undefined when views and listening are not recorded. */
  seenPath?: string;
  /** True where its owner sees which parts were played. */
  sendsParts?: boolean;
  /** Waveform of the first track. */
  waveform: Uint8Array | undefined;
  /** Undefined when the page takes no comments. */
  comments?: PlayerComments | undefined;
  /** Undefined when the page asks for no approval. */
  approval?: PlayerApproval | undefined;
  /** Undefined when the page asks for no answer. */
  pitch?: PlayerPitch | undefined;
};

/** The page of a link to a track or a playlist. */
export function PlayerPage(props: PlayerPageProps) {
  const { root, name, preview, recipient, entity, comments, approval, pitch, seenPath, also = [] } = props;
  const { tracks } = props.rows;
  const isPlaylist = entity === "playlist";
  const [first] = tracks;
  const panel = first && (
    <Panel
      track={first}
      waveform={props.waveform}
      comments={comments?.items ?? []}
      place={isPlaylist ? "dock" : "stage"}
    />
  );
  return (
    <Page
      title={name}
      root={root}
      preview={preview}
      script="player.js"
      width="wide"
      aside={recipient && <>For {recipient}</>}
      footer={<Footer {...props} />}
      dock={isPlaylist && panel}
    >
      <CoverShapes />
      <IconShapes />
      {seenPath && (
        <noscript>
          <img src={seenPath} alt="" width="1" height="1" class="seen" />
        </noscript>
      )}
      <div class="player-page" id="page" data-seen={seenPath} {...(!isPlaylist && first && trackData(first))}>
        <Hero {...props} />
        {isPlaylist ? (
          <Tracks {...props} />
        ) : (
          first && <Single track={first} panel={panel} approval={approval} pitch={pitch} />
        )}
        {also.length > 0 && <AlsoInSet tracks={also} />}
      </div>
      {approval && <Answers approval={approval} />}
      {comments && first && <Comments tracks={[...tracks, ...also]} comments={comments} />}
    </Page>
  );
}

/** A page of one track. */
function Single({
  track,
  panel,
  approval,
  pitch,
}: Pick<PlayerPageProps, "approval" | "pitch"> & { track: PlayerTrack; panel: ComponentChildren }) {
  return (
    <>
      {approval && <TrackApproval track={track} approval={approval} />}
      {panel}
      <PlainPlayer track={track} />
      {track.lyrics && <Lyrics lyrics={track.lyrics} />}
      {pitch && <TrackPitch trackId={track.id} pitch={pitch} />}
    </>
  );
}

/** The tracks of a list: where its recipient is asked, all of them are what they are asked about. */
function Tracks({ rows, beginningHref, approval, pitch, album }: PlayerPageProps) {
  if (rows.tracks.length === 0) return <Nothing album={album} />;
  const list = (
    <>
      {pitch && (
        <div class="pitch-part">
          <PitchWords pitch={pitch} />
        </div>
      )}
      <TrackList rows={rows} beginningHref={beginningHref} approval={approval} pitch={pitch} />
    </>
  );
  if (!approval) return list;
  return (
    <section id="approval" aria-label="Approval">
      <div class="approval">
        <ApprovalWords approval={approval} />
      </div>
      {list}
    </section>
  );
}

function Nothing({ album }: Pick<PlayerPageProps, "album">) {
  return <p class="soft">Nothing is in this {album ? "album" : "playlist"} yet.</p>;
}

function Hero(props: PlayerPageProps) {
  const { entity, name, description, picture, seed } = props;
  const [first] = props.rows.tracks;
  const { artist, details } = (entity === "track" ? first : { ...props.album, details: undefined }) ?? {};
  return (
    <div class="hero">
      <Cover seed={seed} src={picture} />
      <div class="hero-words">
        <h1>{name}</h1>
        {artist && <p class="hero-artist">{artist}</p>}
        {details && <p class="hero-facts">{details}</p>}
        <p class="hero-facts">{factsOf(props).join(" · ")}</p>
      </div>
      <div class="hero-more">
        {description && <p class="hero-description">{description}</p>}
        {props.comments && props.rows.next && (
          <p>
            <a href="#comments">To the comments</a>
          </p>
        )}
        <HeroActions entity={entity} track={first} downloadAllPath={props.downloadAllPath} />
      </div>
    </div>
  );
}

function HeroActions({
  entity,
  track,
  downloadAllPath,
}: Pick<PlayerPageProps, "entity" | "downloadAllPath"> & { track: PlayerTrack | undefined }) {
  const isList = entity === "playlist" && track !== undefined;
  const files = [
    ...(entity === "track" && track?.downloadPath ? [[track.downloadPath, "Download"] as const] : []),
    ...(downloadAllPath ? [[downloadAllPath, "Download all"] as const] : []),
  ];
  if (!isList && files.length === 0) return null;
  return (
    <div class="hero-actions">
      {isList && (
        <span class="toggle needs-script">
          <Button type="button" id="play-all">
            <Icon name="play" />
            <Icon name="pause" />
            <span id="play-all-words">Play all</span>
          </Button>
        </span>
      )}
      {files.map(([path, words]) => (
        <ButtonLink key={words} kind="secondary" href={path}>
          <Icon name="download" />
          {words}
        </ButtonLink>
      ))}
    </div>
  );
}

const ALBUM_TYPES = { album: "Album", ep: "EP", single: "Single", compilation: "Compilation" } as const;

function factsOf({ entity, album, trackCount, durationSec, ownerName }: PlayerPageProps): string[] {
  const isPlaylist = entity === "playlist";
  return [
    ...(album ? [ALBUM_TYPES[album.type]] : []),
    ...(isPlaylist ? [trackCount === 1 ? "1 track" : `${trackCount} tracks`] : []),
    ...(durationSec === null ? [] : [isPlaylist ? inMinutes(durationSec) : clock(durationSec)]),
    ...(ownerName === undefined ? [] : [`Shared by ${ownerName}`]),
  ];
}

/** `48 min`, `2 h 5 min` */
function inMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const KEYS: readonly [keys: string, what: string][] = [
  ["Space", "play, pause"],
  ["← →", "5 seconds back, forward"],
  ["0 – 9", "tenths of the track"],
  ["M", "mute"],
];

function Footer({ entity, ownerName, openUntil, witnessed, sendsParts }: PlayerPageProps): ComponentChildren {
  const keys = entity === "playlist" ? [...KEYS, ["P N", "previous, next track"] as const] : KEYS;
  return (
    <>
      <details class="keys needs-script">
        <summary>Keys</summary>
        <dl>
          {keys.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </details>
      <p>
        {ownerName === undefined
          ? "Only you can open this page."
          : `This is a private link to music of ${ownerName} that may not be released yet.`}
        {openUntil && ` It is open until ${openUntil}.`}
        {sendsParts && " Whoever sent it sees which parts were played."}
      </p>
      {witnessed && (
        <p class="witness">
          The ledger of this library on {witnessed.day}: {witnessed.size}{" "}
          {witnessed.size === 1 ? "record" : "records"}, root <code>{witnessed.root}</code>. Whoever keeps
          this can witness that nothing recorded before was changed.
        </p>
      )}
    </>
  );
}
