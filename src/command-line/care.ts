import type { CommandSpec } from "./describe.ts";
import { JSON_ARRAY, OWNED } from "./people.ts";

/** What keeps a library safe. */
export const CARE = {
  backup: {
    summary: "Copy the library while it is served",
    about: "Exit 1 when a file of the library is missing or damaged; the rest is saved, as FILE.damaged.",
    arguments: [
      {
        name: "FILE|-|DIR/",
        about: "A new file, - for stdout, or a folder of snapshots that grows",
        complete: "file",
      },
    ],
    prints: "{file,bytes,files,sha256,seconds}",
    examples: [
      ["dubplate backup /mnt/nas/dubplate.tar", "one file"],
      ["dubplate backup /mnt/nas/dubplate/", "one more snapshot in a folder"],
      ["dubplate backup - | ssh nas 'cat > dubplate.tar'", "to another machine"],
    ],
  },
  restore: {
    summary: "Make the library of a backup in an empty data folder",
    about:
      "Every byte is checked first. DATA_DIR must be empty or absent. It lists who is in the libraries: those who left since the backup are back.",
    arguments: [
      { name: "FILE|-|DIR/", about: "A file, - for stdin, or a folder of snapshots", complete: "file" },
    ],
    options: {
      at: { value: "TIME", about: "Take the newest snapshot that is not later, such as 2026-11-22T14:30Z" },
    },
    prints: "{dataDir,files,bytes,storeId,generation,createdAt,seconds}",
    examples: [
      ["DATA_DIR=/srv/dubplate dubplate restore /mnt/nas/dubplate/ --at 2026-11-22", "as of that day"],
    ],
  },
  verify: {
    summary: "Check the library, a backup or the replica, also while serving",
    about: "Exit 1 when it finds anything but notes.",
    arguments: [
      {
        name: "FILE|DIR/",
        optional: true,
        about: "A backup or another data folder; with --replica, Litestream's file or address of it",
        complete: "file",
      },
    ],
    options: {
      quick: { about: "Do not read the files again to compare them with their hashes" },
      repair: {
        value: "FILE|DIR/",
        isValueOptional: true,
        about:
          "Make the vectors of sounds again that are at fault, and take good bytes of files from this backup",
        complete: "file",
      },
      replica: {
        about: "Restore the replica that Litestream writes, and compare every row with the library",
      },
      wait: {
        value: "SECONDS",
        whole: { from: 0, unit: "seconds" },
        about: "For how long the replica may be behind; without it 60",
      },
      json: JSON_ARRAY,
    },
    usage: [
      "[FILE|DIR/] [--quick] [--repair [FILE|DIR/]] [--json]",
      "--replica [CONFIG|URL] [--wait SECONDS] [--json]",
    ],
    prints:
      "one {kind,id,path,detail} per finding; with --replica also {storeId,generation,accounts,tracks,versions,bytes,newestAt,ageSeconds,isCompared,seconds}",
  },
  "quarantine list": {
    summary: "List the files that wait in the quarantine, and why removal is held",
    options: { json: JSON_ARRAY },
    prints: "one {held,since,detail} or {path,setAside,bytes,deletedAfter} per line",
  },
  "quarantine accept": {
    summary: "Take the database as it is: end every hold, and set aside files that no row names",
    prints: "{released,moved,acceptedLostAudio}",
  },
  "quarantine restore": {
    summary: "Move files back to where they were",
    arguments: [
      {
        name: "NAME",
        many: true,
        optional: true,
        about: "The name of a file in the quarantine; without one, all",
      },
    ],
    prints: "one {path} per line",
  },
  "quarantine empty": {
    summary: "Delete files from the quarantine, unless removal is held or a backup runs",
    options: {
      "older-than": {
        value: "7d",
        about: "Only files that were set aside so long ago, in days or hours (12h)",
      },
    },
    prints: "{deleted,bytes}",
  },
  "store move": {
    summary: "Move audio from the data folder to the bucket, or back",
    about:
      "To the bucket of BLOB_STORE beside a running server; back to the disk while none runs. It goes on where it was ended.",
    options: { to: { value: "disk", choices: ["disk"], about: "Move audio back from the bucket" } },
    prints: "{files,bytes,faulty}",
  },
  "secret rotate": {
    summary: "Give the library a new master secret, and seal everything with it",
    prints: "{rotated,keys,webhooks,mails,submitters,ledgers,answers}",
  },
  "ledger head": {
    summary: "Sign the head of a library's ledger, for others to keep",
    about: "With TIMESTAMP_URL, it is stamped too; `stamp` says when and by which token, or is null.",
    options: OWNED,
    prints: "{stamp,head,signature,publicKey}",
  },
  "ledger prove": {
    summary: "Print the proof of a track, a version, a link, a delivery or a submission",
    about: "Of a track, that the version which plays was here. Anybody checks it without this server.",
    arguments: [{ name: "ID", about: "Id of what is to be proved" }],
    options: {
      ...OWNED,
      output: { value: "FILE", short: "o", about: "Write it to a file", complete: "file" },
    },
    prints: "the proof as JSON, or {file,bytes}",
    examples: [["dubplate ledger prove --email ana@example.com trk_0123 -o proof.json", "of a song"]],
  },
  "ledger verify": {
    summary: "Check a proof, or every ledger of the library here",
    about: "Exit 1 when something does not hold; it is named.",
    arguments: [
      { name: "PROOF", optional: true, about: "A proof's file", complete: "file" },
      { name: "AUDIO", optional: true, about: "The file that it is of", complete: "file" },
    ],
    options: { key: { value: "HEX", about: "The public key that is expected" } },
    usage: ["[PROOF [AUDIO]] [--key HEX]"],
    prints: "what the proof says; of ledgers one {kind,id,detail} per fault, and {records,faults}",
  },
  "ledger renew": {
    summary: "Give a library's ledger a new key, after the old one may have been stolen",
    options: OWNED,
    prints: "{head,signature,publicKey}",
  },
  "ledger erase": {
    summary: "Erase what a library's ledger says about a track, a link or a delivery",
    about: "The records stay and say nothing any more; proofs that are out there stay valid.",
    arguments: [{ name: "ID", about: "Id of what is to be erased" }],
    options: OWNED,
    prints: "{erased}",
  },
  doctor: {
    summary: "Look at what is installed and what is missing, and say how to mend it",
    about:
      "It looks at runtime, data folder, database, replica, disk and ffmpeg, and creates nothing. Exit 1 when something is wrong.",
    options: { fix: { about: "Install ffmpeg where it may" }, json: JSON_ARRAY },
    prints: "one {check,ok,found,mend} per line",
    needs: "settings",
  },
  update: {
    summary: "Ask whether a newer version exists",
    about: "It asks the release.json at UPDATE_URL, and changes nothing. Only this command ever asks.",
    options: {
      check: { required: true, about: "Ask now" },
      from: { value: "URL", about: "Ask at this address instead" },
    },
    prints: "{version,latest,newer,file}",
  },
} as const satisfies Readonly<Record<string, CommandSpec>>;
