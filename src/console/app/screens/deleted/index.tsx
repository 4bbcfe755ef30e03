/** @jsxRuntime automatic @jsxImportSource preact */
import { Screen } from "../../ui/screen.tsx";

export default function RecentlyScreen() {
  return <Screen heading="Recently deleted" />;
}
