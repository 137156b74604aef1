package drivers;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.ssl.ProgrammaticSslEngineFactory;
import com.datastax.oss.driver.api.core.ssl.SslEngineFactory;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Connections with TLS, with the certificates that tests/tls/make_certificates has made, and the case of TLS. */
final class Tls {
  private static final char[] NO_PASSWORD = new char[0];
  private final Path directory;

  Tls(String directory) {
    this.directory = Path.of(directory);
  }

  /** Parses "expired:4711,…": the servers whose certificates must be refused. */
  static Map<String, Integer> parseRefused(String text) {
    Map<String, Integer> ports = new HashMap<>();
    for (String one : text.split(",")) {
      String[] parts = one.split(":");
      ports.put(parts[0], Integer.parseInt(parts[1]));
    }
    return ports;
  }

  static void add(Map<String, Case.Body> cases, Map<String, Integer> refused) {
    cases.put("tls", c -> run(c, refused));
  }

  private Certificate certificate(String name) throws Exception {
    try (InputStream file = Files.newInputStream(directory.resolve(name + ".pem"))) {
      return CertificateFactory.getInstance("X.509").generateCertificate(file);
    }
  }

  private PrivateKey key(String name) throws Exception {
    String pem = Files.readString(directory.resolve(name + ".key")).replaceAll("-----.*-----|\\s", "");
    return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
  }

  private static KeyStore emptyStore() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }

  SslEngineFactory engines(String own) {
    try {
      KeyStore trusted = emptyStore();
      trusted.setCertificateEntry("ca", certificate("ca"));
      TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      KeyStore mine = emptyStore();
      if (own != null) mine.setKeyEntry("own", key(own), NO_PASSWORD, new Certificate[] {certificate(own)});
      KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(mine, NO_PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return new ProgrammaticSslEngineFactory(context, null, true);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the reasons why a connection is refused; empty: it is not. */
  private static String refusal(int port, String certificate) {
    try (CqlSession session = Case.connect(null, port, certificate, options -> {})) {
      return "";
    } catch (AllNodesFailedException e) {
      StringBuilder all = new StringBuilder();
      e.getAllErrors().values().forEach(errors -> errors.forEach(error -> {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) all.append(cause).append(" / ");
      }));
      return all.toString();
    }
  }

  private static void run(Case c, Map<String, Integer> refused) {
    if (Main.tls == null) throw new Case.Verdict("not-applicable", "the server has no TLS");
    CqlSession s = c.session();
    List<Row> clients = Case.run(s, "SELECT ssl_enabled, ssl_protocol, username FROM system_views.clients"
        + " WHERE connection_stage = 'ready' ALLOW FILTERING").all();
    Case.check(!clients.isEmpty(), "no client is listed");
    for (Row client : clients) {
      Case.check(client.getBoolean(0), "ssl_enabled");
      Case.equal(client.getString(1), "TLSv1.3", "ssl_protocol");
      Case.equal(client.getString(2), "cassandra", "username");
    }
    Map<String, String> words = Map.of("expired", "CertificateExpiredException", "wrong_host", "No subject alternative",
        "unknown_server", "unable to find valid certification path");
    Case.check(refused.keySet().equals(words.keySet()), "servers to refuse: " + refused);
    refused.forEach((kind, port) -> {
      String reason = refusal(port, "ann");
      Case.check(reason.contains(words.get(kind)), kind + ": " + reason);
    });
    for (String certificate : new String[] {null, "expired_client", "unknown_client"}) {
      Case.check(!refusal(Main.port, certificate).isEmpty(), "the server accepts " + certificate);
    }
  }
}
