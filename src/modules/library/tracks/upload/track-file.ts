import type { StagedFile } from "../../../../blobs/store.ts";
import type { AudioFormat } from "../../../../media/formats/sniff.ts";
import type { MediaProbe } from "../../../../media/tags/probe.ts";
import type { StagedArtwork } from "../../artwork/service.ts";
import type { TrackColumns } from "../../catalog/service.ts";

/** What a file says about itself before it is analysed. */
export type Described = {
  tags: MediaProbe["tags"];
  /** Its words and its length, as profile columns. */
  profile: TrackColumns;
  /** The picture in it, redrawn and on disk. */
  cover?: StagedArtwork;
};

/** An audio file on disk that is not yet part of the library. */
export type StagedTrackFile = {
  staged: StagedFile;
  format: AudioFormat;
  /** Becomes the name of the track and of its version. */
  filename: string;
  /** What the file says about itself, once `describeTrackFiles` has read it. */
  described?: Described;
};
