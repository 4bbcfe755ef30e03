/** What a visitor reads while a track is being analysed. */
export const PENDING = "This track is still being analysed. You can listen already; its waveform follows.";
