const SOUND_FILE =
  /\.(wav|wave|w64|aiff?|aifc|flac|mp[23]|m4a|mp4|aac|ogg|oga|opus|webm|caf|wv|wma|au|snd|ac3|tta|dsf|ape)$/i;

/** Returns what a track is called: its title, or the name of its file without the ending of sound files. */
export function trackTitle({ title, name }: { title: string | null; name: string }): string {
  return title ?? (name.replace(SOUND_FILE, "") || name);
}

/** Returns the heading of a link. */
export function linkName({ recipient }: { recipient: string | null }): string {
  return recipient ? `Link for ${recipient}` : "Public link";
}
