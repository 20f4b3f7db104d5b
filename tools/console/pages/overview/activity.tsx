import {
  type Activity,
  type ActivityMetric,
  type ActivitySpan,
  activitySpans,
  sumOf,
  totalOf,
} from '../../../operator/requests/activity.ts';
import { counted, formatBytes } from '../../../operator/text.ts';
import { Plot } from '../../components/plot.tsx';
import { withQuery } from '../../http/addresses.ts';

const answered = ['TokensIssued', 'SyncsIssued'] as const;
const rejected = ['TokensRejected', 'SyncsRejected'] as const;

/** The activity: requests and rejections, uploads and bytes, with links to the clients. */
export function ActivityOf({ activity, span }: { readonly activity: Activity; readonly span: ActivitySpan }) {
  const sum = (...metrics: readonly ActivityMetric[]) => sumOf(activity, ...metrics);
  const total = (...metrics: readonly ActivityMetric[]) => totalOf(activity, ...metrics);
  const [uploads, bytes] = [total('UploadsCompleted'), total('UploadBytes')];
  const since = `${activitySpans[span].seconds / 3600}h`;
  return (
    <>
      <div class="row">
        <Figure
          name="Token and URL requests"
          value={plain(total(...answered))}
          about={`answered, ${plain(total(...rejected))} rejected`}
          bars={{ rejected: sum(...answered, ...rejected), answered: sum(...answered) }}
        />
        <Figure
          name="Uploads"
          value={plain(uploads)}
          about={`of ${counted(total('SyncsIssued'), 'URL')}, ${plain(total('UploadsExpired'))} expired unused`}
          bars={{ answered: sum('UploadsCompleted') }}
        />
        <Figure
          name="Bytes"
          value={formatBytes(bytes)}
          about={uploads === 0 ? 'nothing arrived' : `${formatBytes(bytes / uploads)} on average`}
          bars={{ answered: sum('UploadBytes') }}
        />
      </div>
      <p class="row">
        <a href={withQuery('/rejections', { since })}>Who was rejected, and why</a>
        <a href={withQuery('/usage', { since })}>Who gets tokens and upload URLs</a>
      </p>
    </>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly about: string;
  readonly bars: Readonly<Record<string, readonly number[]>>;
}

/** A number, and its values over time. */
function Figure({ name, value, about, bars }: FigureProps) {
  return (
    <div class="card">
      <p>
        <span class="muted">{name}</span>
        <b>{value}</b>
        <span class="muted">{about}</span>
      </p>
      <Plot label={`${name}: ${value} ${about}`} bars={bars} />
    </div>
  );
}

function plain(value: number): string {
  return value.toLocaleString('en-GB');
}
