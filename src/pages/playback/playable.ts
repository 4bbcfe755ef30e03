/** Something to play. */
export type Playable = {
  src: string;
  /** Undefined until the browser knows: the track was not analysed. */
  seconds: number | undefined;
  /** In dB. */
  gain: number;
};
