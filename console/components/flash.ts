/** What the page after a change says first. */
export interface Flash {
  readonly text: string;
  /** A button that undoes the change. */
  readonly undo?: {
    readonly label: string;
    readonly action: string;
    readonly fields?: Readonly<Record<string, string>>;
  };
}
