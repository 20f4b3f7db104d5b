import { CommandError, exitCodes } from './errors.ts';
import type { CancelReport, Outstanding } from './outstanding-uploads.ts';
import { counted, quoted } from './text.ts';

// What is said of the upload URLs of a file whose syncing is disabled.

/** The upload URLs through which bytes may still arrive: one sentence for each kind. */
export function describeOutstanding({
  outstanding,
  until,
  recently_expired: expired,
}: Outstanding): readonly string[] {
  const stillWork = outstanding === 1 ? 'is outstanding and still works' : 'are outstanding and still work';
  return [
    outstanding > 0
      ? `${counted(outstanding, 'upload URL')} ${stillWork} until ${until} at the latest.`
      : 'No upload URL of this file is outstanding.',
    ...(expired > 0
      ? [
          `${counted(expired, 'upload URL')} expired unused in the last 24 hours. ` +
            'A PUT that began in time may still be under way, and its content would be taken.',
        ]
      : []),
  ];
}

/** What disabling and cancelling will do. */
export function describeCancelAll(fileId: string, { outstanding, recently_expired }: Outstanding): string {
  const expired =
    recently_expired > 0 ? ` and ${recently_expired} that expired unused in the last 24 hours` : '';
  return `This disables syncing for ${quoted(fileId)} and cancels ${counted(outstanding, 'outstanding upload URL')}${expired}.`;
}

/** What became of them. */
export function describeCancelReport({ cancelled, rest }: CancelReport): string {
  const finished = rest.filter(({ outcome }) => outcome === 'finished').length;
  return `${counted(cancelled, 'upload URL')} cancelled, ${finished} finished before, ${rest.length - finished} failed.`;
}

/** @throws {CommandError} when URLs may still work */
export function requireAllCancelled(fileId: string, { rest, stopped }: CancelReport): void {
  const failed = rest.filter(({ outcome }) => outcome === 'failed').length;
  if (failed > 0) {
    throw new CommandError(
      `${counted(failed, 'upload URL')} could not be cancelled and may still work. ` +
        `${stopped ? 'The others were not tried. ' : ''}Fix the cause and run the command again:`,
      exitCodes.failed,
      [['file', 'disable-sync', fileId, '--cancel-uploads']],
    );
  }
}
