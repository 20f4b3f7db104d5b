import type { Writable } from 'node:stream';
import { reasonOf, systemCode } from '../operator/errors.ts';
import { counted } from '../operator/text.ts';
import { exitCodes } from './errors.ts';

/** A stream for text, such as `process.stdout` or `process.stderr`. */
export interface TextStream {
  write(text: string): unknown;
  /** Needed if the stream can be full. It emits `drain` when it can accept more. */
  once?(event: 'drain', listener: () => void): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/**
 * Output of a command: the result on stdout, as one JSON object or as text for people, and notes on stderr.
 */
export interface Output {
  readonly json: boolean;
  readonly stdout: TextStream;
  readonly stderr: TextStream;
}

/** Returns `2 files`, or `No files.` */
export function countText(count: number, noun: string): string {
  return count > 0 ? counted(count, noun) : `No ${noun}s.`;
}

/**
 * Returns the width of the terminal, for tables. Undefined without a terminal: a pipe gets every column in
 * full.
 */
export function tableWidth({ isTTY, columns }: TextStream): number | undefined {
  return isTTY ? columns || 80 : undefined;
}

/** Shows one JSON object. */
export function showJson(output: Output, value: object): void {
  output.stdout.write(`${jsonText(value)}\n`);
}

/**
 * Returns JSON that is safe to show on a terminal. `JSON.stringify` escapes the C0 control characters and
 * unpaired surrogates. This function also escapes all other control characters and invisible characters. The
 * value is unchanged.
 */
export function jsonText(value: object): string {
  return JSON.stringify(value).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu,
    (character) =>
      character
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
  );
}

/** Writes a note to stderr, separate from the result. */
export function note(output: Output, sentence: string): void {
  output.stderr.write(`${sentence}\n`);
}

/**
 * Handles outputs that can no longer be written.
 *
 * - stdout carries the result, so the process ends. A closed pipe (`| head`) is not a failure. A full disk is a failure.
 * Temporary files are removed on the `exit` event.
 * - stderr carries only progress, notes and error messages, so the command continues. Without a listener,
 * Node.js would end the process at the first lost line.
 */
export function handleClosedOutputs(stdout: Writable, stderr: Writable): void {
  stderr.on('error', () => undefined);
  stdout.on('error', (error) => {
    if (systemCode(error) === 'EPIPE') {
      process.exit();
    }
    stderr.write(`error: The result cannot be written: ${reasonOf(error)}.\n`);
    process.exit(exitCodes.failed);
  });
}
