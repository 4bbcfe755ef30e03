/** @jsxRuntime automatic @jsxImportSource preact */
import { Screen } from "../../ui/screen.tsx";

export default function UploadsScreen() {
  return <Screen heading="Uploads" />;
}
