import io.trino.server.Server;

/**
 * The full server (start-up checks, its own version) from the jar trino-main;
 * it reads -Dconfig=FILE. Usage: RealTrino VERSION. It ends when its standard
 * input ends, so that it never outlives the program that started it.
 */
public final class RealTrino
{
    private RealTrino() {}

    public static void main(String[] args)
    {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                while (System.in.read() >= 0) {}
            }
            catch (java.io.IOException e) {
                // as good as the end
            }
            Runtime.getRuntime().halt(0);
        });
        new Server().start(args[0]);
    }
}
