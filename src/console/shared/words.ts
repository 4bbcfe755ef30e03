import type { SCREENS, ScreenId } from "./addresses.ts";

/** Screens that show one thing. The palette finds these by the name of the thing. */
export type ThingScreenId = Extract<(typeof SCREENS)[number], { heading: null }>["id"];
/** Screens with a name of their own. */
export type NamedScreenId = Exclude<ScreenId, ThingScreenId>;

/** What people type when they look for a screen and do not know its name. The palette finds a screen by these, too. */
export const SCREEN_WORDS: Readonly<Record<NamedScreenId, string>> = {
  library: "tracks songs music home all",
  search: "find describe brief prose mood like",
  albums: "records releases ep single lp compilation discography upc cover",
  playlists: "lists sets collections",
  links: "shares shared sent recipients public url",
  leaks: "leak leaked watermark mark trace recipient whose copy stolen pirate posted forensic",
  pocket: "offline kept device phone downloads downloaded without connection internet plane car travel",
  briefs: "requests calls wanted ask for music pitch",
  inbox: "submissions received demos sent to me triage shortlist answers replies interested",
  composers: "writers authors shareholders credits splits royalties ipi pro rights",
  insights: "statistics stats analytics plays numbers charts reports who listened",
  deliver: "package zip hand over distributor store agency sync cd master release splits paperwork",
  deliveries: "delivered packages sent went out same again erase hashes",
  uploads: "upload add import files folders watch queue arrivals",
  families: "families songs together belong instrumental acapella edits stems questions same song kinds",
  deleted: "deleted restore undelete recover bin trash removed put back",
  welcome: "first steps start getting started introduction tour help demo",
  profile: "settings preferences account name e-mail email address me",
  devices: "music apps players subsonic opensubsonic symfonium amperfy feishin car phone stereo password qr",
  keys: "api keys key token secret developer scopes access",
  assistants: "mcp claude chatgpt cursor ai agents tools programs apps connect oauth",
  webhooks: "webhook events callbacks receiver deliveries notify url integration",
  assistantCalls: "assistant ai history log audit changes undo calls",
  brand: "logo colour color accent website look theme appearance",
  registrations: "cwr cisac publisher sender code society register works ipi",
  checks: "limits readiness true peak loudness silence rules profiles missing",
  mail: "e-mail email mails digest newsletter notify relay smtp sender",
  team: "people members users invite role roles access colleague label band manager leave",
  server: "operator admin backup disk storage health accounts users version doctor",
  security: "password sessions devices sign-in login two provider sso",
};

/** A part of the settings: the palette leads to the screen that has it. */
export type Setting = {
  name: string;
  screen: NamedScreenId;
  words: string;
  /** What the role must allow, beside what the screen needs. */
  need?: string;
};

/** Every part of the settings screens, and what people look for in it. A test compares them with the headings there. */
export const SETTINGS: readonly Setting[] = [
  { name: "You", screen: "profile", words: "name e-mail email address account change rename" },
  { name: "Your pages", screen: "brand", words: "accent colour color website name theme public pages" },
  { name: "Logo", screen: "brand", words: "picture image mark icon upload" },
  { name: "Preview", screen: "brand", words: "brand look pages" },
  {
    name: "The sender",
    screen: "registrations",
    words: "publisher cwr cisac sender code society ipi performing mechanical share",
  },
  {
    name: "Limits",
    screen: "checks",
    words: "readiness true peak loudness silence cover phase rules checks",
  },
  { name: "Members", screen: "team", words: "people users invite someone role remove leave hand over owner" },
  {
    name: "Name of the library",
    screen: "team",
    words: "rename label studio account title",
    need: "manage:library",
  },
  {
    name: "Invitations",
    screen: "team",
    words: "invite link renew withdraw pending people",
    need: "manage:team",
  },
  {
    name: "What happened",
    screen: "team",
    words: "log audit history who did people team",
    need: "manage:team",
  },
  { name: "Password", screen: "security", words: "change password passphrase credentials" },
  { name: "Passkeys", screen: "security", words: "passkey fingerprint face touch id webauthn device add" },
  {
    name: "Recovery codes",
    screen: "security",
    words: "backup code lost phone recover emergency two factor",
  },
  { name: "Sessions", screen: "security", words: "devices browsers signed in log out everywhere end" },
  {
    name: "Copies on devices",
    screen: "devices",
    words: "offline kept pocket phone lost remove withdraw music",
  },
  {
    name: "Music apps",
    screen: "devices",
    words: "players subsonic opensubsonic symfonium amperfy feishin car phone add an app password let in",
  },
  { name: "Keys", screen: "keys", words: "create key rotate revoke token scopes" },
  { name: "Usage", screen: "keys", words: "requests keys log calls" },
  { name: "Connect a client", screen: "assistants", words: "mcp claude chatgpt cursor assistant set up" },
  { name: "Programs", screen: "assistants", words: "oauth grants connected apps remove access" },
  {
    name: "What assistants do",
    screen: "assistants",
    words: "mcp tools confirm ask before delete question history calls undo",
  },
  { name: "Receiver", screen: "webhooks", words: "webhook url address signing secret test event" },
  { name: "Deliveries", screen: "webhooks", words: "webhook log failed retry send again" },
  {
    name: "What you hear of",
    screen: "mail",
    words: "digest notices hourly daily weekly off unsubscribe submissions answers notes listens",
  },
  { name: "Mails of this server", screen: "mail", words: "smtp relay sender send a test refusal" },
  { name: "This server", screen: "server", words: "version disk space ffmpeg queue database" },
  { name: "Backup", screen: "server", words: "back up now restore download verify files schedule" },
  { name: "Health", screen: "server", words: "doctor checks problems warnings status" },
  {
    name: "Accounts",
    screen: "server",
    words: "users invite someone credits disable delete owner give library",
  },
  { name: "People", screen: "server", words: "person block unblock sign-ins who last seen" },
];

/** What people type for the things that the console does, by the id of the command. */
export const COMMAND_WORDS: Readonly<Record<string, string>> = {
  searchField: "find describe",
  upload: "add import files folder music new track drop",
  undo: "take back revert restore",
  sayYes: "yes join keep together set agree",
  sayNo: "no apart refuse decline",
  help: "keys shortcuts keyboard single-letter help",
  playPause: "play pause stop resume start",
  previousTrack: "back last skip",
  nextTrack: "skip forward",
  mute: "silence volume sound off",
  matchLoudness: "volume level lufs gain normalise normalize replaygain",
  loopStart: "repeat a-b section",
  loopEnd: "repeat a-b section",
  queue: "up next playing list",
  playNext: "queue after",
  selectAll: "everything mark all",
  share: "link send url private public recipient",
  deliver: "package zip hand over distributor agency send master",
  addToPlaylist: "list set collect",
  tag: "genre mood label category",
  rename: "title edit name change",
  versions: "mix master compare a/b ab revisions",
  comment: "note feedback remark",
  commentSpan: "note range span loop selection feedback write",
  zoomIn: "waveform larger",
  zoomOut: "waveform smaller whole",
  remove: "delete bin trash",
  shortlist: "accept like maybe",
  pass: "decline reject no",
  keep: "accept take library yes",
  backToNew: "undecided reset",
  note: "comment remark write",
  answerDone: "answer dealt with finished tick off reply",
  thank: "reply answer mail sender",
  stepThrough: "review round notes mix revision feedback comments approve",
  nextNote: "review comment following",
  previousNote: "review comment before",
  switchVersions: "review compare a/b ab old new",
  markAnswered: "review done resolve close note comment",
  stillOpen: "review unresolved not fixed note comment",
  reopen: "review unresolve note comment",
  reply: "review answer respond note comment write",
  answers: "interested pass instrumental terms replies recipients pitch",
  notifications: "bell news alerts messages unread",
  "sign-out": "log out logout signout leave exit end session",
  "new-playlist": "create make list set",
  "new-album": "create make record release ep single",
  "new-composer": "create add writer author shareholder",
  "new-brief": "create request call ask for music",
  "create-key": "new api key token",
};
