import { MARKER_FORMATS } from "../kernel/marker-formats.ts";
import type { CommandSpec } from "./describe.ts";
import { LIBRARY } from "./people.ts";

const SERVER = {
  DUBPLATE_URL: "The server to send to, where --url is not given",
  DUBPLATE_API_KEY: "The key to send with, where --key is not given; unlike --key, other users cannot see it",
} as const;

/** The library that files go to, here or on a server. */
const DOOR = {
  email: { value: "E", about: "Put the files into the library of this account, in DATA_DIR" },
  library: LIBRARY,
  url: { value: "ADDRESS", about: "Send the files to this server instead" },
  key: { value: "KEY", about: "The API key for that server" },
} as const;

/** What brings music in, and what works on it. */
export const MUSIC = {
  import: {
    summary: "Take in audio files and folders, or an account from another Dubplate",
    about:
      "Every audio file under the paths is taken in; links are followed, and each folder is read once. Names say which files are versions of one track. " +
      "A folder of numbered songs, or of one album, becomes an album; a cover, folder or front picture becomes that of the album, and of the tracks beside it that have none. " +
      "It is safe to run twice and goes on where it was stopped. Exit 1 when a path does not exist or a file failed.",
    arguments: [{ name: "PATH", many: true, optional: true, about: "A file or a folder", complete: "file" }],
    options: {
      email: { value: "E", about: "The account whose library takes the files" },
      library: LIBRARY,
      playlists: { about: "Make playlists of folders and of the lists of other programs" },
      export: { value: "DIR", about: "Take in what account export --move wrote", complete: "folder" },
    },
    usage: ["PATH... --email E [--library ID] [--playlists]", "--export DIR"],
    prints:
      "one {path,trackId}, with versionId,label for a version, or {path,error} per line; {path,covered} for a picture; {playlist,playlistId,added}. With --export {accountId,email,isNew,tracks,files,bytes}",
    examples: [
      ["dubplate import ~/Music/Bounces --email ana@example.com", "a folder of bounces"],
      ["dubplate import --export /srv/ana", "an account from another machine"],
    ],
  },
  watch: {
    summary: "Take in what lands in a folder, until it is stopped",
    about:
      "It never changes anything in the folder. A cover, folder or front picture becomes a cover as with import, also that of songs that come later.",
    arguments: [{ name: "FOLDER", about: "The folder to watch", complete: "folder" }],
    options: {
      ...DOOR,
      settle: {
        value: "SECONDS",
        whole: { from: 0, to: 3600, unit: "seconds" },
        about: "How long a file must stay unchanged before it is taken; otherwise that of WATCH_SETTLE",
      },
      every: {
        value: "SECONDS",
        fallback: "30",
        whole: { from: 0, to: 3600, unit: "seconds" },
        about: "How often to look when the system says nothing",
      },
      once: { about: "End when nothing is left to take" },
    },
    usage: [
      "FOLDER --email E [--library ID] | --url ADDRESS --key KEY [--settle SECONDS] [--every SECONDS] [--once]",
    ],
    prints:
      "one {path,outcome,trackId,versionId,label,reason} per file, with covered,albumId for a picture that became a cover",
    environment: SERVER,
    examples: [
      ["dubplate watch ~/Bounces --email ana@example.com", "what a DAW bounces there becomes tracks"],
    ],
  },
  send: {
    summary: "Put files into a library as versions of the tracks that their names say",
    about:
      "What was sent in part is continued. Exit 1 when a file was refused, 3 when the server cannot be reached.",
    arguments: [{ name: "FILE", many: true, about: "An audio file", complete: "file" }],
    options: {
      ...DOOR,
      track: { value: "ID", about: "The track to add the files to, whatever their names are" },
      label: { value: "L", about: "The label of the version, such as rough mix" },
      open: { about: "Show the track in the browser" },
    },
    usage: [
      "FILE... [--track ID] [--label L] [--open] [--url ADDRESS] [--key KEY] | --email E [--library ID]",
    ],
    prints: "one {path,outcome,trackId,versionId,label,title,url,reason} per file",
    environment: SERVER,
    examples: [
      ['dubplate send "Night Drive v4.wav" --open', "after a render, to the server of DUBPLATE_URL"],
    ],
  },
  notes: {
    summary: "Print the notes on a version of a track as markers, or write them to a file",
    about:
      "They come from a server. Only open notes are in it unless --answered is given. Exit 1 when the server refuses, 3 when it cannot be reached.",
    options: {
      track: { value: "ID", required: true, about: "The track" },
      version: { value: "V", about: "The id of the version; otherwise the active one" },
      format: {
        value: "F",
        fallback: "tsv",
        choices: MARKER_FORMATS,
        about: "The form: tsv has id, start, end and name of each, in seconds; wav and midi need a file",
      },
      answered: { about: "Answered notes too" },
      sections: { about: "Also the sections that the analysis found" },
      bpm: { value: "N", about: "The tempo that a MIDI file counts by; otherwise that of the version" },
      output: { value: "FILE", short: "o", about: "The file to write", complete: "file" },
      url: { value: "ADDRESS", about: "The server" },
      key: { value: "KEY", about: "An API key with read:comments and read:tracks" },
    },
    usage: [
      "--track ID [--version V] [--format F] [--answered] [--sections] [--bpm N] [-o|--output FILE] [--url ADDRESS] [--key KEY]",
    ],
    prints: "the notes, or with -o {file,bytes}",
    environment: {
      DUBPLATE_URL: "The server, where --url is not given",
      DUBPLATE_API_KEY: "The key, where --key is not given; unlike --key, other users cannot see it",
    },
    needs: "settings",
    examples: [
      ["dubplate notes --track trk_0123 --format reaper -o notes.csv", "for REAPER's Region/Marker Manager"],
    ],
  },
  work: {
    summary: "Analyse for a server on another machine, until it is stopped",
    about:
      "It makes no data folder. Exit 1 when the server refuses the worker or three jobs in a row fail here, 3 when --once cannot reach the server.",
    options: {
      server: { value: "URL", about: "The server to work for" },
      key: { value: "KEY", about: "A key with the scope platform:work" },
      concurrency: {
        value: "N",
        whole: { from: 1, to: 256, unit: "analyses" },
        about: "How many analyses run at once; otherwise that of ANALYSIS_CONCURRENCY",
      },
      once: { about: "End when no job is left" },
    },
    usage: ["--server URL [--key KEY] [--concurrency N] [--once]"],
    prints: "one {job,kind,outcome,seconds,error} per job",
    environment: {
      DUBPLATE_URL: "The server to work for, where --server is not given",
      DUBPLATE_WORK_KEY:
        "The key to work with, where --key is not given; unlike --key, other users cannot see it",
    },
  },
} as const satisfies Readonly<Record<string, CommandSpec>>;
