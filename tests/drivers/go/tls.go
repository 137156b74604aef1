package main

import (
	"path/filepath"
	"strings"
)

var tlsCases = []testCase{{"tls", tlsCase}}

// useTLS connects with TLS, with this client's certificate or, if it is empty, with none.
func useTLS(c *ClusterConfig, certificate string) {
	file := func(name string) string { return filepath.Join(certificates, name) }
	c.SslOpts = &SslOptions{CaPath: file("ca.pem"), EnableHostVerification: true}
	if certificate != "" {
		c.SslOpts.CertPath, c.SslOpts.KeyPath = file(certificate+".pem"), file(certificate+".key")
	}
}

// refusal connects, and returns the reason why this is refused. It returns "" if it succeeds.
func refusal(configure func(*ClusterConfig)) string {
	session, err := connect(configure)
	if err != nil {
		return err.Error()
	}
	session.Close()
	return ""
}

func tlsCase(c *caseRun) {
	if certificates == "" {
		panic(notApplicable("the server has no TLS"))
	}
	s := c.session(inKeyspace)
	var protocol, username string
	var enabled bool
	rows := s.Query("SELECT ssl_enabled, ssl_protocol, username FROM system_views.clients" +
		" WHERE connection_stage = 'ready' ALLOW FILTERING").Iter()
	count := 0
	for ; rows.Scan(&enabled, &protocol, &username); count++ {
		c.equal([]any{enabled, protocol, username}, []any{true, "TLSv1.3", "cassandra"}, "client")
	}
	c.must(rows.Close(), "clients")
	c.check(count > 0, "no client is listed")
	words := map[string]string{"expired": "expired", "wrong_host": "certificate is not valid for", "unknown_server": "unknown authority"}
	c.equal(len(tlsRefused), len(words), "servers to refuse")
	for kind, word := range words {
		reason := refusal(func(c *ClusterConfig) { c.Port = tlsRefused[kind] })
		c.check(strings.Contains(reason, word) || strings.Contains(reason, "cannot validate certificate"), "%s: %q", kind, reason)
	}
	for _, certificate := range []string{"", "expired_client", "unknown_client"} {
		c.check(refusal(func(c *ClusterConfig) { useTLS(c, certificate) }) != "", "the server accepts %q", certificate)
	}
}
