import { findById, memory } from "./dom.ts";

/** Lets visitors set the volume. The browser remembers it. */
export function bindVolume(audio: HTMLAudioElement): void {
  const slider = findById<HTMLInputElement>("volume");
  if (!slider) return;
  const remembered = Number(memory.get("page-volume") ?? 1);
  audio.volume = remembered > 0 && remembered <= 1 ? remembered : 1;
  const show = () => {
    const heard = audio.muted ? 0 : audio.volume;
    slider.value = String(heard);
    slider.setAttribute("aria-valuetext", `${Math.round(100 * heard)} %`);
  };
  slider.addEventListener("input", () => {
    audio.volume = Number(slider.value);
    audio.muted = audio.volume === 0;
    if (audio.volume > 0) memory.set("page-volume", slider.value);
  });
  audio.addEventListener("volumechange", show);
  show();
}
