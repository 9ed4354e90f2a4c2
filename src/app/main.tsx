/** The page's entry. */
import "./commitCounter.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../theme/tokens.css";
import "../ui/ui.css";
import "./shell.css";
import { App } from "./App.tsx";
import { boot, restoreDevice } from "./boot.ts";
import { PanelBoundary } from "./PanelBoundary.tsx";

const root = document.getElementById("root");
if (root) {
  restoreDevice();
  // Commands are defined before the first render: buttons ask the registry whether they can be used.
  void boot();
  createRoot(root).render(
    <StrictMode>
      <PanelBoundary name="page">
        <App />
      </PanelBoundary>
    </StrictMode>,
  );
}
