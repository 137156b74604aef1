package graph;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.janusgraph.core.Cardinality;
import org.janusgraph.core.EdgeLabel;
import org.janusgraph.core.JanusGraph;
import org.janusgraph.core.JanusGraphFactory;
import org.janusgraph.core.Multiplicity;
import org.janusgraph.core.PropertyKey;
import org.janusgraph.core.SchemaViolationException;
import org.janusgraph.core.schema.ConsistencyModifier;
import org.janusgraph.core.schema.JanusGraphIndex;
import org.janusgraph.core.schema.JanusGraphManagement;
import org.janusgraph.core.schema.SchemaAction;
import org.janusgraph.core.schema.SchemaStatus;
import org.janusgraph.graphdb.database.management.ManagementSystem;

/**
 * Main HOST PORT: tests a small graph of JanusGraph on a server (tests/applications/README.md). Each test uses the data that
 * earlier tests wrote.
 */
public final class Main {
    private static final int PEOPLE = 500;
    private static final int FRIENDS = 5;

    private final String host;
    private final String port;
    private JanusGraph graph;
    private int failed;

    private interface Body {
        void run() throws Exception;
    }

    private Main(String host, String port) {
        this.host = host;
        this.port = port;
    }

    public static void main(String[] arguments) throws Exception {
        Main tests = new Main(arguments[0], arguments[1]);
        tests.test("open", tests::open);
        tests.test("schema", tests::schema);
        tests.test("vertices_and_edges", tests::verticesAndEdges);
        tests.test("composite_index", tests::compositeIndex);
        tests.test("unique_index", tests::uniqueIndex);
        tests.test("all_property_types", tests::allPropertyTypes);
        tests.test("set_and_list_properties", tests::setAndListProperties);
        tests.test("traversals", tests::traversals);
        tests.test("edges_in_order", tests::edgesInOrder);
        tests.test("hub", tests::hub);
        tests.test("reopen", tests::reopen);
        tests.test("rollback", tests::rollback);
        tests.test("update_and_remove", tests::updateAndRemove);
        tests.test("several_threads", tests::severalThreads);
        tests.test("locked_index_of_two_writers", tests::lockedIndexOfTwoWriters);
        tests.test("reindex", tests::reindex);
        tests.test("server_restart", tests::serverRestart);
        tests.test("ttl", tests::ttl);
        tests.test("drop", tests::drop);
        System.exit(tests.failed == 0 ? 0 : 1);
    }

    private void test(String name, Body body) {
        try {
            body.run();
            System.out.println("ok " + name);
        } catch (Exception | AssertionError e) {
            failed++;
            System.out.println("FAIL " + name + ": " + e);
            e.printStackTrace();
            if (graph != null && graph.isOpen()) graph.tx().rollback();
        }
        System.out.flush();
    }

    private static void equal(Object found, Object expected) {
        if (!String.valueOf(found).equals(String.valueOf(expected))) throw new AssertionError(found + " instead of " + expected);
    }

    private JanusGraph connect() {
        return JanusGraphFactory.build()
            .set("storage.backend", "cql")
            .set("storage.hostname", host)
            .set("storage.port", port)
            .set("storage.cql.local-datacenter", "datacenter1")
            .set("storage.cql.keyspace", "janusgraph")
            .set("ids.block-size", 1000)
            .open();
    }

    private GraphTraversalSource g() {
        return graph.traversal();
    }

    private void open() {
        graph = connect();
        equal(g().V().count().next(), 0);
    }

    private void schema() {
        JanusGraphManagement management = graph.openManagement();
        PropertyKey name = management.makePropertyKey("name").dataType(String.class).make();
        PropertyKey number = management.makePropertyKey("number").dataType(Integer.class).make();
        PropertyKey city = management.makePropertyKey("city").dataType(String.class).make();
        management.makePropertyKey("nickname").dataType(String.class).cardinality(Cardinality.SET).make();
        management.makePropertyKey("score").dataType(Double.class).cardinality(Cardinality.LIST).make();
        PropertyKey since = management.makePropertyKey("since").dataType(Long.class).make();
        management.makeVertexLabel("person").make();
        management.makeVertexLabel("place").make();
        management.makeVertexLabel("thing").make();
        EdgeLabel knows = management.makeEdgeLabel("knows").multiplicity(Multiplicity.MULTI).make();
        management.buildEdgeIndex(knows, "knows_since", Direction.BOTH, Order.desc, since);
        management.makeEdgeLabel("lives").multiplicity(Multiplicity.MANY2ONE).make();
        JanusGraphIndex unique = management.buildIndex("by_number", Vertex.class).addKey(number).unique().buildCompositeIndex();
        management.setConsistency(unique, ConsistencyModifier.LOCK);
        management.buildIndex("by_name_and_city", Vertex.class).addKey(name).addKey(city).buildCompositeIndex();
        management.buildIndex("by_since", Edge.class).addKey(since).buildCompositeIndex();
        management.commit();
        management = graph.openManagement();
        equal(management.containsEdgeLabel("knows"), true);
        equal(management.getGraphIndex("by_name_and_city").getFieldKeys().length, 2);
        management.rollback();
    }

    private void verticesAndEdges() {
        List<Vertex> people = new ArrayList<>();
        List<Vertex> places = new ArrayList<>();
        for (String place : List.of("Delft", "Leiden", "Gouda")) places.add(g().addV("place").property("name", place).next());
        for (int i = 0; i < PEOPLE; i++) {
            String city = i % 2 == 0 ? "Delft" : "Leiden";
            Vertex person = g().addV("person").property("name", "p" + i % 100).property("number", i).property("city", city).next();
            people.add(person);
            person.addEdge("lives", places.get(i % 3));
        }
        graph.tx().commit();
        Random random = new Random(1);
        for (int i = 0; i < PEOPLE; i++) {
            for (int k = 1; k <= FRIENDS; k++) {
                Vertex from = g().V(people.get(i).id()).next();
                from.addEdge("knows", g().V(people.get((i + k) % PEOPLE).id()).next(), "since", (long) random.nextInt(1000));
            }
            if (i % 50 == 49) graph.tx().commit();
        }
        graph.tx().commit();
        equal(g().V().count().next(), PEOPLE + 3);
        equal(g().E().hasLabel("knows").count().next(), PEOPLE * FRIENDS);
        equal(g().E().hasLabel("lives").count().next(), PEOPLE);
        graph.tx().rollback();
    }

    private void compositeIndex() {
        equal(g().V().has("name", "p7").has("city", "Leiden").count().next(), PEOPLE / 100);
        equal(g().V().has("name", "p7").has("city", "Delft").count().next(), 0);
        equal(g().V().has("number", 123).values("name").next(), "p23");
        long sum = 0;
        for (long since = 0; since < 1000; since++) sum += g().E().has("since", since).count().next();
        equal(sum, PEOPLE * FRIENDS);
        graph.tx().rollback();
    }

    private void uniqueIndex() {
        try {
            g().addV("person").property("number", 5).iterate();
            graph.tx().commit();
            throw new AssertionError("a number twice");
        } catch (SchemaViolationException e) {
            graph.tx().rollback();
        }
        equal(g().V().has("number", 5).count().next(), 1);
    }

    private void allPropertyTypes() {
        UUID uuid = UUID.randomUUID();
        Map<String, Object> values = Map.of("a_boolean", true, "a_byte", (byte) -3, "a_short", (short) 300, "a_float", 1.5f, "a_uuid", uuid,
            "a_date", new Date(1700000000000L), "a_instant", Instant.ofEpochSecond(1700000000L, 5),
            "a_text", "x".repeat(100_000));
        Vertex vertex = g().addV("types").next();
        values.forEach(vertex::property);
        vertex.property("a_array", new int[] {1, 2, 3});
        graph.tx().commit();
        Vertex read = g().V(vertex.id()).next();
        values.forEach((key, value) -> equal(read.value(key), value));
        equal(((int[]) read.value("a_array")).length, 3);
        g().V(vertex.id()).drop().iterate();
        graph.tx().commit();
    }

    private void setAndListProperties() {
        g().V().has("number", 1).property("nickname", "a").property("nickname", "b").property("nickname", "a").iterate();
        g().V().has("number", 1).property("score", 1.5).property("score", 2.5).property("score", 1.5).iterate();
        graph.tx().commit();
        equal(new TreeSet<>(g().V().has("number", 1).values("nickname").toList()), "[a, b]");
        equal(g().V().has("number", 1).values("score").order().toList(), "[1.5, 1.5, 2.5]");
        g().V().has("number", 1).properties("nickname").hasValue("a").drop().iterate();
        graph.tx().commit();
        equal(g().V().has("number", 1).values("nickname").toList(), "[b]");
    }

    private void traversals() {
        equal(g().V().has("number", 10).out("knows").values("number").order().toList(), "[11, 12, 13, 14, 15]");
        equal(g().V().has("number", 10).in("knows").values("number").order().toList(), "[5, 6, 7, 8, 9]");
        equal(g().V().has("number", 10).repeat(__.out("knows")).times(3).dedup().count().next(), 13); // 13 to 25.
        equal(g().V().has("number", 0).repeat(__.out("knows").simplePath()).until(__.has("number", 12)).limit(1).path().next().size(), 4);
        equal(g().V().hasLabel("place").order().by("name").local(__.in("lives").count()).toList(), "[167, 166, 167]");
        equal(g().V().hasLabel("person").groupCount().by("city").next().get("Delft"), PEOPLE / 2);
        equal(g().V().has("number", P.within(3, 4)).out("lives").values("name").order().toList(), "[Delft, Leiden]");
        equal(g().V().hasLabel("person").has("number", P.between(100, 110)).count().next(), 10);
        graph.tx().rollback();
    }

    private void edgesInOrder() {
        List<Object> since = g().V().has("number", 10).bothE("knows").order().by("since", Order.desc).values("since").toList();
        equal(since.size(), 2 * FRIENDS);
        for (int i = 1; i < since.size(); i++) equal((Long) since.get(i - 1) >= (Long) since.get(i), true);
        equal(g().V().has("number", 10).outE("knows").has("since", P.gte(0L)).count().next(), FRIENDS);
        equal(g().V().has("number", 10).outE("knows").has("since", P.gte(500L)).count().next(),
            g().V().has("number", 10).outE("knows").values("since").toList().stream().filter(value -> (Long) value >= 500).count());
        graph.tx().rollback();
    }

    /** Makes a vertex with more edges than a page has rows. */
    private void hub() {
        Vertex hub = g().addV("place").property("name", "hub").next();
        for (int i = 0; i < 6000; i++) hub.addEdge("knows", g().addV("leaf").next(), "since", (long) i);
        graph.tx().commit();
        equal(g().V(hub.id()).out("knows").count().next(), 6000);
        equal(g().V(hub.id()).outE("knows").has("since", P.between(1000L, 1010L)).count().next(), 10);
        equal(g().V(hub.id()).outE("knows").order().by("since", Order.desc).limit(3).values("since").toList(), "[5999, 5998, 5997]");
        g().V().hasLabel("leaf").drop().iterate();
        graph.tx().commit();
        equal(g().V(hub.id()).outE("knows").count().next(), 0);
        g().V(hub.id()).drop().iterate();
        graph.tx().commit();
    }

    private void reopen() {
        graph.close();
        graph = connect();
        equal(g().V().count().next(), PEOPLE + 3);
        equal(g().V().has("number", 10).out("knows").values("number").order().toList(), "[11, 12, 13, 14, 15]");
        JanusGraphManagement management = graph.openManagement();
        equal(management.getGraphIndex("by_number").isUnique(), true);
        management.rollback();
        graph.tx().rollback();
    }

    private void rollback() {
        g().addV("person").property("number", 100_000).iterate();
        equal(g().V().has("number", 100_000).count().next(), 1);
        graph.tx().rollback();
        equal(g().V().has("number", 100_000).count().next(), 0);
    }

    private void updateAndRemove() {
        g().V().has("number", 20).property("name", "renamed").iterate();
        g().V().has("number", 21).drop().iterate();
        g().V().has("number", 22).outE("knows").drop().iterate();
        graph.tx().commit();
        equal(g().V().has("name", "renamed").has("city", "Delft").values("number").toList(), "[20]");
        equal(g().V().has("name", "p20").has("city", "Delft").has("number", 20).count().next(), 0);
        equal(g().V().has("number", 21).count().next(), 0);
        equal(g().V().has("number", 20).out("knows").values("number").order().toList(), "[22, 23, 24, 25]");
        equal(g().V().has("number", 22).out("knows").count().next(), 0);
        graph.tx().rollback();
    }

    private void severalThreads() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            int first = 1_000_000 + thread * 1000;
            running.add(threads.submit(() -> {
                for (int i = 0; i < 20; i++) {
                    g().addV("thing").property("number", first + i).iterate();
                    graph.tx().commit();
                }
            }));
        }
        for (Future<?> one : running) one.get();
        threads.shutdown();
        equal(g().V().hasLabel("thing").count().next(), 160);
        equal(g().V().has("number", 1_003_007).count().next(), 1);
        graph.tx().rollback();
    }

    /** Two graphs write one number at the same time. JanusGraph's lock on the index lets one of them commit. */
    private void lockedIndexOfTwoWriters() {
        try (JanusGraph other = connect()) {
            int both = 0;
            for (int i = 0; i < 5; i++) {
                int number = 2_000_000 + i;
                g().addV("person").property("number", number).iterate();
                other.traversal().addV("person").property("number", number).iterate();
                int committed = 0;
                for (JanusGraph one : Set.of(graph, other)) {
                    try {
                        one.tx().commit();
                        committed++;
                    } catch (RuntimeException e) {
                        one.tx().rollback();
                    }
                }
                both += committed == 1 ? 0 : 1;
                equal(g().V().has("number", number).count().next(), 1);
                graph.tx().rollback();
            }
            equal(both, 0);
        }
    }

    private void reindex() throws Exception {
        graph.tx().rollback();
        JanusGraphManagement management = graph.openManagement();
        management.buildIndex("by_city", Vertex.class).addKey(management.getPropertyKey("city")).buildCompositeIndex();
        management.commit();
        ManagementSystem.awaitGraphIndexStatus(graph, "by_city").status(SchemaStatus.REGISTERED).call();
        management = graph.openManagement();
        management.updateIndex(management.getGraphIndex("by_city"), SchemaAction.REINDEX).get();
        management.commit();
        ManagementSystem.awaitGraphIndexStatus(graph, "by_city").status(SchemaStatus.ENABLED).call();
        equal(g().V().has("city", "Delft").count().next(), PEOPLE / 2);
        graph.tx().rollback();
    }

    /** The graph still works after a restart of the server, although the program does not open it again. */
    private void serverRestart() throws IOException, InterruptedException {
        System.out.println("RESTART");
        System.out.flush();
        equal(new BufferedReader(new InputStreamReader(System.in)).readLine(), "GO");
        for (int tries = 0;; tries++) {
            try {
                equal(g().V().has("number", 10).out("knows").count().next(), FRIENDS);
                break;
            } catch (RuntimeException e) {
                graph.tx().rollback();
                if (tries == 60) throw e;
                Thread.sleep(500);
            }
        }
        g().V().has("number", 10).property("city", "Gouda").iterate();
        graph.tx().commit();
        equal(g().V().has("city", "Gouda").values("number").toList(), "[10]");
        graph.tx().rollback();
    }

    private void ttl() {
        JanusGraphManagement management = graph.openManagement();
        management.setTTL(management.makePropertyKey("token").dataType(String.class).make(), Duration.ofSeconds(1));
        management.setTTL(management.makeEdgeLabel("visits").make(), Duration.ofSeconds(1000));
        management.commit();
        g().V().has("number", 30).property("token", "secret").iterate();
        g().V().has("number", 30).as("a").V().has("number", 31).addE("visits").from("a").iterate();
        graph.tx().commit();
        try {
            Thread.sleep(2100);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        equal(g().V().has("number", 30).values("token").toList(), "[]");
        equal(g().V().has("number", 30).out("visits").values("number").toList(), "[31]");
        graph.tx().rollback();
    }

    private void drop() throws Exception {
        JanusGraphFactory.drop(graph);
        graph = connect();
        equal(g().V().count().next(), 0);
        graph.close();
    }
}
