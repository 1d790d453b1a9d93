import { useEffect, useState } from "preact/hooks";
import { defaultSemantics, type Semantics } from "./budget/semantics";

/** What the reader has chosen; every figure follows it. */
export interface Choice {
  cell: number;
  /** Name of the compared arm; empty: the cell's last. */
  arm: string;
  /** Budget; null: the audit's own, K_obs. */
  k: number | null;
  semantics: Semantics;
}

type Listener = () => void;

class Store {
  private value: Choice = { cell: 0, arm: "", k: null, semantics: defaultSemantics };
  private readonly listeners = new Set<Listener>();

  get(): Choice {
    return this.value;
  }
  set(change: Partial<Choice>): void {
    this.value = { ...this.value, ...change };
    for (const listener of this.listeners) listener();
  }
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

export const store = new Store();

export function useChoice(): Choice {
  const [choice, setChoice] = useState(store.get());
  useEffect(() => store.listen(() => setChoice(store.get())), []);
  return choice;
}
