package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// httpReader sends requests to the server over HTTP.
type httpReader struct {
	address string
	client  *http.Client
}

func newHTTPReader(address string) *httpReader {
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	return &httpReader{address, &http.Client{Timeout: answerSecondsMax * time.Second, Transport: transport}}
}

// ask sends a request and decodes the JSON of its answer into `into`.
func (r *httpReader) ask(method, path string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(method, "http://"+r.address+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := r.client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %d %.200s", method, path, answer.StatusCode, content)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(content, into)
}

type queryBody struct {
	Query    string `json:"query"`
	Params   []any  `json:"params,omitempty"`
	Snapshot string `json:"snapshot,omitempty"`
	PageSize int    `json:"page_size,omitempty"`
	Page     string `json:"page_state,omitempty"`
}

type rowsAnswer struct {
	Rows [][]*int64 `json:"rows"`
	Page string     `json:"page_state"`
}

func (r *httpReader) openSnapshot() (string, error) {
	var opened struct{ Snapshot string }
	err := r.ask("POST", "/v1/snapshots", map[string]int{"age_max_ms": 30_000}, &opened)
	return opened.Snapshot, err
}

func (r *httpReader) closeSnapshot(id string) { _ = r.ask("DELETE", "/v1/snapshots/"+id, nil, nil) }

// momentCells reads the four cells of a group, with one statement for each, in random order.
func (w *worker) momentCells(g int64, id string) ([]cellValue, error) {
	seen := make([]cellValue, widthMax)
	for _, i := range w.random.Perm(widthMax) {
		var answer rowsAnswer
		err := w.campaign.reader.ask("POST", "/v1/query",
			queryBody{Query: "SELECT v FROM ks.moments WHERE g = ? AND i = ?", Params: []any{g, i}, Snapshot: id}, &answer)
		if err != nil {
			return nil, err
		}
		seen[i] = cellValue{i, absent}
		if len(answer.Rows) > 0 {
			seen[i].value = int32(*answer.Rows[0][0])
		}
	}
	return seen, nil
}

func (w *worker) writeMoment(g int64) (input, output, error) {
	i, v := w.random.IntN(widthMax), newValue()
	in := input{action: writeAll, cells: []cellValue{{i, v}}}
	return in, output{}, w.query("INSERT INTO ks.moments (g, i, v) VALUES (?, ?, ?)", g, i, v).Exec()
}

// snapshot writes one of four partitions, or reads all of them on a snapshot. All reads show the moment of the snapshot, which is
// between begin and end of the request that opens it. Writes continue between the reads.
func snapshot(w *worker, g int64) (input, output, error) {
	if w.random.IntN(5) > 0 {
		return w.writeMoment(g)
	}
	id, err := w.campaign.reader.openSnapshot()
	if err != nil {
		return input{action: readAll}, output{}, err
	}
	defer w.campaign.reader.closeSnapshot(id)
	opened := time.Since(campaignBegin)
	seen, err := w.momentCells(g, id)
	return input{action: readAll}, output{seen: seen, until: opened}, err
}
