// Prints the events that a local run sends: node print-events.mjs [PORT], then npm start -- --events-to http://127.0.0.1:8080/
import { createServer } from 'node:http';

const port = Number(process.argv[2] ?? 8080);

/** Events that were handled. A consumer that must survive a restart stores their ids, together with its results. */
const handled = new Set();

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk;
  }
  try {
    const { 'detail-type': type, detail } = JSON.parse(body);
    if (!handled.has(detail.event_id)) {
      handled.add(detail.event_id);
      console.log(`${type}: file ${detail.file_id}, upload ${detail.upload_id ?? 'none'}`);
    }
    // A 2xx confirms the event. After any other response, it is sent again.
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end('Not an event\n');
  }
});

server.listen(port, '127.0.0.1', () => {
  console.log(`Waiting for events at http://127.0.0.1:${server.address().port}/`);
});
