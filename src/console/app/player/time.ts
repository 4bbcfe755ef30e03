export { clock } from "../../../pages/waveform.ts";
